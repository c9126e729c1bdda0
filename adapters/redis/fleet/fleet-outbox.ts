import { z } from 'zod';
import { type FleetOutbox, type OutboxItem, type OutboxShown, outboxItem } from '../../../core/fleet/outbox.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';
import type { FleetKeys } from './fleet-keys.ts';

const CLAIM_MS = 20_000;
const LOOK_EVERY_MS = 2_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** Longer than a turn can be run again. */
const IDS_KEPT_MS = 7 * 86_400_000;

/** KEYS items, due, ids; ARGV id, JSON, now, oldest id kept. */
const ADD = createScript(
	`
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[4])
if redis.call('ZADD', KEYS[3], 'NX', ARGV[3], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
`,
	['hash', 'zset', 'zset'],
);

/** Takes the item that has waited longest. KEYS items, due; ARGV now, claimed until. */
const TAKE = createScript(`
local id = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, 1)[1]
if not id then return {} end
redis.call('ZADD', KEYS[2], ARGV[2], id)
return {id, redis.call('HGET', KEYS[1], id) or ''}
`);

export function createFleetOutbox(redis: RedisConnection, stored: Stored, keys: FleetKeys): FleetOutbox {
	const topic = redis.keys.topic('fleet-outbox');

	async function take(): Promise<{ id: string; item: OutboxItem | undefined } | undefined> {
		const now = redis.now();
		const reply = await redis.run(TAKE, [keys.outbox, keys.outboxDue], [now, now + CLAIM_MS]);
		const [id, text] = z.array(z.string()).parse(reply);
		if (id === undefined) return undefined;
		return { id, item: stored.parse(outboxItem, text, `${keys.outbox} ${id}`) };
	}

	const drop = (id: string) =>
		redis.ask((client) => client.multi().zrem(keys.outboxDue, id).hdel(keys.outbox, id).exec());
	const postpone = (id: string, ms: number) =>
		redis.ask((client) => client.zadd(keys.outboxDue, 'XX', redis.now() + ms, id));

	return {
		async add(item) {
			const now = redis.now();
			const added = await redis.run(
				ADD,
				[keys.outbox, keys.outboxDue, keys.outboxIds],
				[item.id, JSON.stringify(item), now, now - IDS_KEPT_MS],
			);
			if (added === 1) await redis.ask((client) => client.publish(topic, item.id));
		},
		consume(show) {
			const failures = new Map<string, number>();
			let stopped = false;
			let again = false;
			let running: Promise<void> | undefined;

			async function showOne(id: string, item: OutboxItem): Promise<void> {
				let shown: OutboxShown;
				try {
					shown = await show(item);
				} catch (error) {
					const count = (failures.get(id) ?? 0) + 1;
					if (failures.size > 1_000) failures.clear();
					failures.set(id, count);
					redis.log.warn({ item: id, kind: item.kind, count, error }, 'not shown; tried again');
					await postpone(id, Math.min(FIRST_RETRY_MS * 2 ** (count - 1), LAST_RETRY_MS));
					return;
				}
				failures.delete(id);
				if (typeof shown === 'object') await postpone(id, shown.laterMs);
				else await drop(id);
			}

			async function showAll(): Promise<void> {
				do {
					again = false;
					for (let taken = await take(); taken !== undefined && !stopped; taken = await take()) {
						if (taken.item === undefined) await drop(taken.id);
						else await showOne(taken.id, taken.item);
					}
				} while (again && !stopped);
			}

			function look(): void {
				again = true;
				if (stopped || running) return;
				running = showAll()
					.catch((error) => {
						if (!stopped) redis.log.warn({ error }, 'the fleet outbox cannot be read; tried again');
					})
					.finally(() => {
						running = undefined;
					});
			}

			const timer = setInterval(look, LOOK_EVERY_MS);
			timer.unref();
			const unhear = redis.topics.listen(topic, look, look);
			look();
			return async () => {
				stopped = true;
				clearInterval(timer);
				await unhear();
				await running;
			};
		},
	};
}
