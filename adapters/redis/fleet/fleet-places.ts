import { z } from 'zod';
import { cardRecord, placeRecord } from '../../../core/fleet/records.ts';
import type { FleetPlaces } from '../../../core/fleet/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';
import type { FleetKeys } from './fleet-keys.ts';

const CARDS_KEPT_MS = 14 * 86_400_000;
const statusMessage = z.object({ channelId: z.string(), messageId: z.string(), text: z.string() });

/** Another process may be further already. KEYS cursor; ARGV number. */
const MOVE = createScript(`
local old = tonumber(redis.call('GET', KEYS[1]) or '-1')
if old >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
return 1
`);

/** Where cards, threads and the status line stand on Discord. */
export function createFleetPlaces(redis: RedisConnection, stored: Stored, keys: FleetKeys): FleetPlaces {
	const place = async (sessionId: string) =>
		stored.parse(
			placeRecord,
			await redis.ask((client) => client.hget(keys.places, sessionId)),
			`${keys.places} ${sessionId}`,
		);
	const card = async (id: string) =>
		stored.parse(cardRecord, await redis.ask((client) => client.hget(keys.cards, id)), `${keys.cards} ${id}`);

	return {
		card,
		async cards(limit) {
			const ids = await redis.ask((client) => client.zrevrange(keys.cardsByTime, 0, limit - 1));
			const found = await Promise.all(ids.map(card));
			return found.flatMap((record) => record ?? []);
		},
		async writeCard(record) {
			const old = await redis.ask((client) =>
				client.zrangebyscore(keys.cardsByTime, '-inf', record.postedAt - CARDS_KEPT_MS),
			);
			await redis.ask(async (client) => {
				const step = client.multi();
				if (old.length > 0) step.hdel(keys.cards, ...old).zrem(keys.cardsByTime, ...old);
				step.hset(keys.cards, record.id, JSON.stringify(record)).zadd(keys.cardsByTime, record.postedAt, record.id);
				await step.exec();
			});
		},
		place,
		async byThread(threadId) {
			const sessionId = await redis.ask((client) => client.hget(keys.threads, threadId));
			return sessionId === null ? undefined : place(sessionId);
		},
		async places() {
			const texts = await redis.ask((client) => client.hgetall(keys.places));
			return Object.entries(texts).flatMap(
				([id, text]) => stored.parse(placeRecord, text, `${keys.places} ${id}`) ?? [],
			);
		},
		async writePlace(record) {
			await redis.ask(async (client) => {
				await client
					.multi()
					.hset(keys.places, record.sessionId, JSON.stringify(record))
					.hset(keys.threads, record.threadId, record.sessionId)
					.exec();
			});
		},
		async removePlaces(sessionIds) {
			if (sessionIds.length === 0) return;
			const gone = new Set(sessionIds);
			// A session whose thread was made anew has more than one here.
			const sessionOf = await redis.ask((client) => client.hgetall(keys.threads));
			const threads = Object.keys(sessionOf).filter((threadId) => gone.has(sessionOf[threadId] ?? ''));
			await redis.ask(async (client) => {
				const step = client.multi().hdel(keys.places, ...gone);
				if (threads.length > 0) step.hdel(keys.threads, ...threads);
				await step.exec();
			});
		},
		async threadCursor() {
			const text = await redis.ask((client) => client.get(keys.threadCursor));
			if (text === null) return undefined;
			if (/^\d{1,15}$/.test(text)) return Number(text);
			stored.report(keys.threadCursor, 'not a number of an event');
			return undefined;
		},
		async moveThreadCursor(seq) {
			await redis.run(MOVE, [keys.threadCursor], [seq]);
		},
		statusMessage: async () =>
			stored.parse(statusMessage, await redis.ask((client) => client.get(keys.statusMessage)), keys.statusMessage),
		async writeStatusMessage(message) {
			await redis.ask((client) => client.set(keys.statusMessage, JSON.stringify(message)));
		},
	};
}
