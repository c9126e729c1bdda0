import { isAbout, jsonWithoutPerson, type PersonHolder } from '../../../core/operations/person.ts';
import type { RedisConnection } from '../connection.ts';
import { everyKey } from '../every-key.ts';
import { rewriteStream, streamEntries } from './streams.ts';

const roomOf = (key: string) =>
	key
		.slice(key.lastIndexOf('}') + 1)
		.split(':')
		.slice(3)
		.join(':');

/** Votes on whether the bot should keep quiet. */
export function createVoteHolder(redis: RedisConnection): PersonHolder {
	const boxes = () => everyKey(redis, `{${redis.prefix}:rooms:*}:v1:votes:*`);
	return {
		name: 'votes',
		about: 'How you voted on whether the bot keeps quiet in a room.',
		async export({ id }) {
			const found: unknown[] = [];
			for (const key of await boxes()) {
				const vote = await redis.ask((client) => client.hget(key, id));
				if (vote !== null) found.push({ room: roomOf(key), vote });
			}
			return found;
		},
		async erase({ id }) {
			let count = 0;
			for (const key of await boxes()) count += await redis.ask((client) => client.hdel(key, id));
			return { count, left: [] };
		},
	};
}

/** What the bot did because of the person. The rows stay, because they tell what happened to the room; nobody is named in them. */
export function createAuditHolder(redis: RedisConnection): PersonHolder {
	const trails = () => everyKey(redis, `{${redis.prefix}:rooms:*}:v1:audit:*`);
	return {
		name: 'audit',
		about: 'Actions of the bot that you asked for or that name you: who was behind it, what was done, how it ended.',
		async export(person) {
			const found: unknown[] = [];
			for (const key of await trails())
				for await (const [, fields] of streamEntries(redis, key)) {
					const row = fields[1] ?? '';
					if (isAbout(row, person)) found.push(parsed(row));
				}
			return found;
		},
		async erase(person) {
			let count = 0;
			for (const key of await trails())
				count += await rewriteStream(redis, key, (field) => jsonWithoutPerson(field, person));
			return { count, left: [] };
		},
	};
}

/** Three notes a room that the model wrote and everybody there can read. */
export function createNoteHolder(redis: RedisConnection): PersonHolder {
	const notes = async () => {
		const found: { room: string; slot: string; text: string }[] = [];
		for (const key of await everyKey(redis, `{${redis.prefix}:rooms:*}:v1:memory:*`))
			for (const [slot, text] of Object.entries(await redis.ask((client) => client.hgetall(key))))
				found.push({ room: roomOf(key), slot, text });
		return found;
	};
	return {
		name: 'notes',
		about:
			"Notes of the bot about a room that contain your name or id. They are the room's, so they are shown and left to its people.",
		export: async (person) => (await notes()).filter(({ text }) => isAbout(text, person)),
		async erase(person) {
			const about = (await notes()).filter(({ text }) => isAbout(text, person));
			const left = about.map(
				({ room, slot }) =>
					`note ${slot} of room ${room} may be about this person; read it with /overseer memory and clear it if so`,
			);
			return { count: 0, left };
		},
	};
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return json;
	}
}
