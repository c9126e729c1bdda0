import { isAbout, jsonWithoutPerson, type Person, type PersonHolder } from '../../../core/operations/person.ts';
import type { RedisConnection } from '../connection.ts';
import { everyKey } from '../every-key.ts';
import { REPLACE_FIELD, REPLACE_LINE, REPLACE_TEXT } from './rewrite.ts';
import { rewriteStream, streamEntries } from './streams.ts';

/** Parts that have holders of their own. */
const OTHERS = /\}:v1:(messages|votes|audit|memory)(:|$)/;
/** What is made anew by itself and holds prompts and answers whole. */
const DISPOSABLE = /:decision:[^}]*\}|\}:v1:(status|commentary):/;

/**
 * Everything else that a decision leaves behind: who waits for an answer, what the model was shown, jobs, panels, small
 * locks. It is passing, so it is not handed out word by word; erasing removes what is made anew and cleans the rest.
 */
export function createWorkingDataHolder(redis: RedisConnection): PersonHolder {
	const intakes = `{${redis.prefix}:intake}`;
	const others = async () =>
		(await everyKey(redis)).filter(
			(key) => !OTHERS.test(key) && !key.startsWith(intakes) && key !== redis.keys.bus('messages'),
		);
	return {
		name: 'working data',
		about:
			'Places where the bot keeps what it needs for answers under way and for a week of looking back; your lines in them are those of the transcripts.',
		async export(person) {
			const found: unknown[] = [];
			for (const key of await others()) if (await isKeyAbout(redis, key, person)) found.push({ key });
			return found;
		},
		async erase(person) {
			let count = 0;
			for (const key of await others()) {
				if (!(await isKeyAbout(redis, key, person))) continue;
				if (DISPOSABLE.test(key) || key.includes(person.id)) count += await redis.ask((client) => client.del(key));
				else count += await clean(redis, key, person);
			}
			return { count, left: [] };
		},
	};
}

/** Keys in which the bare id can still be found, wherever that is: the proof that erasing was complete. */
export async function findTraces(redis: RedisConnection, personId: string): Promise<string[]> {
	const found: string[] = [];
	for (const key of await everyKey(redis))
		if (await isKeyAbout(redis, key, { id: personId, names: [] })) found.push(key);
	return found;
}

async function isKeyAbout(redis: RedisConnection, key: string, person: Person): Promise<boolean> {
	if (key.includes(person.id)) return true;
	for await (const text of textsOf(redis, key)) if (isAbout(text, person)) return true;
	return false;
}

/** All texts in a key, fields and members among them. */
async function* textsOf(redis: RedisConnection, key: string): AsyncGenerator<string> {
	const ask = redis.ask;
	switch (await ask((client) => client.type(key))) {
		case 'string':
			yield (await ask((client) => client.get(key))) ?? '';
			return;
		case 'list':
			yield* await ask((client) => client.lrange(key, 0, -1));
			return;
		case 'set':
			yield* await ask((client) => client.smembers(key));
			return;
		case 'zset':
			yield* await ask((client) => client.zrange(key, 0, -1));
			return;
		case 'hash':
			yield* Object.entries(await ask((client) => client.hgetall(key))).flat();
			return;
		case 'stream':
			for await (const [, fields] of streamEntries(redis, key)) yield* fields;
	}
}

async function clean(redis: RedisConnection, key: string, person: Person): Promise<number> {
	const { ask, run } = redis;
	const cleaned = (text: string) => jsonWithoutPerson(text, person);
	let count = 0;
	switch (await ask((client) => client.type(key))) {
		case 'string': {
			const text = (await ask((client) => client.get(key))) ?? '';
			return text === cleaned(text) ? 0 : Number(await run(REPLACE_TEXT, [key], [text, cleaned(text)]));
		}
		case 'list':
			for (const line of await ask((client) => client.lrange(key, 0, -1))) {
				const next = numbered(line, cleaned);
				if (next !== line) count += Number(await run(REPLACE_LINE, [key], [line, next]));
			}
			return count;
		case 'hash':
			for (const [field, value] of Object.entries(await ask((client) => client.hgetall(key)))) {
				if (field.includes(person.id)) count += await ask((client) => client.hdel(key, field));
				else if (value !== cleaned(value))
					count += Number(await run(REPLACE_FIELD, [key], [field, value, cleaned(value)]));
			}
			return count;
		case 'set':
			for (const member of await ask((client) => client.smembers(key)))
				if (member.includes(person.id)) count += await ask((client) => client.srem(key, member));
			return count;
		case 'zset':
			for (const member of await ask((client) => client.zrange(key, 0, -1)))
				if (member.includes(person.id)) count += await ask((client) => client.zrem(key, member));
			return count;
		case 'stream':
			return rewriteStream(redis, key, cleaned);
		default:
			return 0;
	}
}

/** Lines are kept as "<seq> <json>". */
function numbered(line: string, cleaned: (text: string) => string): string {
	const [, seq, json] = /^(\d+ )(.*)$/s.exec(line) ?? [undefined, '', line];
	return `${seq}${cleaned(json ?? '')}`;
}
