import { isAbout, jsonWithoutPerson, type Person, type PersonHolder } from '../../../core/operations/person.ts';
import type { RedisConnection } from '../connection.ts';
import { everyKey } from '../every-key.ts';
import { chatMessageSchema } from '../schema/chat-message.ts';
import { REPLACE_LINE } from './rewrite.ts';
import { type StreamEntry, streamEntries } from './streams.ts';

/** A stored line as a message; undefined for one that is damaged. */
function messageOf(json: string) {
	try {
		return chatMessageSchema.safeParse(JSON.parse(json)).data;
	} catch {
		return undefined;
	}
}

/** In what other people said only the id and the mention go; their other words are theirs. The bot's lines are ours. */
const asMentioned = ({ id, names }: Person): Person => ({ id, names: names.map((name) => `@${name}`) });

/** What the person said in rooms: the last few hundred lines of each. */
export function createTranscriptHolder(redis: RedisConnection): PersonHolder {
	const transcripts = () => everyKey(redis, `{${redis.prefix}:rooms:*}:v1:messages:*`);
	const jsonOf = (line: string) => line.slice(line.indexOf(' ') + 1);

	async function* lines(): AsyncGenerator<{ key: string; line: string }> {
		for (const key of await transcripts())
			for (const line of await redis.ask((client) => client.lrange(key, 0, -1))) yield { key, line };
	}

	return {
		name: 'transcripts',
		about:
			'What you wrote in rooms that the bot keeps: the newest few hundred lines of each room, so that it can follow the talk.',
		async names(personId) {
			const names = new Set<string>();
			for await (const { line } of lines()) {
				const author = messageOf(jsonOf(line))?.author;
				if (author?.id === personId) names.add(author.name);
			}
			return [...names];
		},
		async export({ id }) {
			const found: unknown[] = [];
			for await (const { line } of lines()) {
				const message = messageOf(jsonOf(line));
				if (message?.author.id === id) found.push(message);
			}
			return found;
		},
		async erase(person) {
			let count = 0;
			for await (const { key, line } of lines()) {
				const message = messageOf(jsonOf(line));
				if (message?.author.id === person.id) count += await redis.ask((client) => client.lrem(key, 0, line));
				else if (isAbout(line, person)) {
					const cleaned = `${line.slice(0, line.indexOf(' '))} ${jsonWithoutPerson(jsonOf(line), message?.bot ? person : asMentioned(person))}`;
					if (cleaned !== line) count += Number(await redis.run(REPLACE_LINE, [key], [line, cleaned]));
				}
			}
			return { count, left: [] };
		},
	};
}

/** What the person said, on its way between processes. Old entries are only kept until others push them out. */
export function createBusHolder(redis: RedisConnection): PersonHolder {
	const stream = redis.keys.bus('messages');
	const jsonOf = ([, fields]: StreamEntry) => fields[1] ?? '';
	const isTheirs = (entry: StreamEntry, personId: string) => messageOf(jsonOf(entry))?.author.id === personId;
	return {
		name: 'bus',
		about: 'Your newest lines on their way from Discord to the agents.',
		async export({ id }) {
			const found: unknown[] = [];
			for await (const entry of streamEntries(redis, stream))
				if (isTheirs(entry, id)) found.push(messageOf(jsonOf(entry)));
			return found;
		},
		/** Entries cannot be changed, so lines that mention the person go too: the transcript has them. */
		async erase(person) {
			const ids: string[] = [];
			for await (const entry of streamEntries(redis, stream)) {
				const json = jsonOf(entry);
				if (json.includes(person.id) || (messageOf(json)?.bot && isAbout(json, person))) ids.push(entry[0]);
			}
			for (const one of ids) await redis.ask((client) => client.xdel(stream, one));
			return { count: ids.length, left: [] };
		},
	};
}
