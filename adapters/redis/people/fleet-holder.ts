import type { PersonHolder } from '../../../core/operations/person.ts';
import type { RedisConnection } from '../connection.ts';
import { everyKey } from '../every-key.ts';
import { createFleetKeys } from '../fleet/fleet-keys.ts';
import { isOf, ownPieces, withoutDoings } from './fleet-doings.ts';
import { REPLACE_LINE, REPLACE_TEXT, REPLACE_VERSIONED } from './rewrite.ts';
import { rewriteStream, streamEntries } from './streams.ts';

/**
 * What the person did in the fleet: sessions of theirs, their answers, messages, questions and watches, and their part of the
 * log. What tells of a session's life stays without them; words of theirs go. Names that others wrote are left to the
 * holder of working data, which comes after.
 */
export function createFleetHolder(redis: RedisConnection): PersonHolder {
	const { ask, run } = redis;
	const keys = createFleetKeys(redis.prefix);
	const base = keys.sessions.slice(0, -'sessions'.length);
	const fleetKeys = async () => (await everyKey(redis)).filter((key) => key.startsWith(base));
	const place = (key: string) => key.slice(base.length);

	/** Every JSON text of the fleet with the place it stands in. */
	async function* pieces(): AsyncGenerator<{ key: string; field: string; text: string }> {
		for (const key of await fleetKeys()) {
			const type = await ask((client) => client.type(key));
			if (type === 'string') yield { key, field: '', text: (await ask((client) => client.get(key))) ?? '' };
			else if (type === 'hash')
				for (const [field, text] of Object.entries(await ask((client) => client.hgetall(key))))
					yield { key, field, text };
			else if (type === 'list')
				for (const text of await ask((client) => client.lrange(key, 0, -1))) yield { key, field: '', text };
			else if (type === 'stream')
				for await (const [id, fields] of streamEntries(redis, key))
					for (const text of fields) yield { key, field: id, text };
		}
	}

	async function ownSessions(personId: string): Promise<string[]> {
		const texts = await ask((client) => client.hgetall(keys.sessions));
		return Object.entries(texts).flatMap(([id, text]) => (jsonOf(text)?.['ownerId'] === personId ? [id] : []));
	}

	/** Lines that the owner typed into the session. */
	const typed = async (sessionId: string) =>
		(await ask((client) => client.lrange(keys.tail(sessionId), 0, -1))).filter(
			(line) => jsonOf(line)?.['role'] === 'person',
		);

	async function eraseHash(key: string, personId: string): Promise<number> {
		let count = 0;
		// A state that is on its way to be written was computed from the old one: a grown version makes that fail.
		const versions = { [keys.sessions]: keys.versions, [keys.questions]: keys.revisions }[key] ?? '';
		for (const [field, text] of Object.entries(await ask((client) => client.hgetall(key)))) {
			if (!isOf(text, personId)) continue;
			if (key === keys.watches) {
				count += await ask((client) => client.hdel(key, field));
				continue;
			}
			const cleaned = withoutDoings(text, personId, { grows: key === keys.questions });
			const version = key === keys.concierge ? [key, 'version'] : [versions || key, versions ? field : ''];
			count += Number(await run(REPLACE_VERSIONED, [key, version[0] ?? key], [field, text, cleaned, version[1] ?? '']));
		}
		return count;
	}

	async function eraseList(key: string, personId: string): Promise<number> {
		let count = 0;
		for (const line of await ask((client) => client.lrange(key, 0, -1))) {
			if (!isOf(line, personId)) continue;
			// Words on their way into a session go, an answer arrives without its author.
			const isMessage = jsonOf(line.slice(line.indexOf(' ') + 1))?.['kind'] === 'message';
			if (isMessage) count += await ask((client) => client.lrem(key, 0, line));
			else count += Number(await run(REPLACE_LINE, [key], [line, withoutDoings(line, personId)]));
		}
		return count;
	}

	return {
		name: 'fleet',
		about:
			'Coding-agent sessions of yours and what you did in the fleet: answers, messages, questions to the concierge, watches, and your part of the log.',
		async names(personId) {
			const names = new Set<string>();
			for await (const { text } of pieces())
				for (const piece of ownPieces(text, personId)) if (typeof piece['who'] === 'string') names.add(piece['who']);
			return [...names];
		},
		async export({ id }) {
			const held: unknown[] = [];
			for await (const { key, text } of pieces())
				if (isOf(text, id)) held.push({ in: place(key), what: jsonOf(text.replace(/^\d+ (?=\{)/, '')) ?? text });
			for (const sessionId of await ownSessions(id))
				for (const line of await typed(sessionId)) held.push({ in: `session ${sessionId}`, what: jsonOf(line) });
			return held;
		},
		async erase({ id }) {
			let count = 0;
			for (const sessionId of await ownSessions(id))
				for (const line of await typed(sessionId))
					count += await ask((client) => client.lrem(keys.tail(sessionId), 0, line));
			// What the concierge remembers is made anew from the fleet as it stands.
			if (isOf((await ask((client) => client.get(keys.memory))) ?? '', id))
				count += await ask((client) => client.del(keys.memory));
			for (const key of await fleetKeys()) {
				const type = await ask((client) => client.type(key));
				if (type === 'hash') count += await eraseHash(key, id);
				else if (type === 'list') count += await eraseList(key, id);
				else if (type === 'stream') count += await rewriteStream(redis, key, (text) => withoutDoings(text, id));
				else if (type === 'string') {
					const text = (await ask((client) => client.get(key))) ?? '';
					if (isOf(text, id)) count += Number(await run(REPLACE_TEXT, [key], [text, withoutDoings(text, id)]));
				}
			}
			return { count, left: [] };
		},
	};
}

function jsonOf(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}
