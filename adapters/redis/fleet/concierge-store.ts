import { type ConciergeMemory, conciergeMemory, FRESH_MEMORY } from '../../../core/fleet/concierge-memory.ts';
import { conciergeState, FRESH_CONCIERGE } from '../../../core/fleet/concierge-state.ts';
import type { ConciergeStore, MemoryStore, WatchStore } from '../../../core/fleet/stores.ts';
import { watch as watchSchema } from '../../../core/fleet/watch.ts';
import type { RedisConnection } from '../connection.ts';
import type { Stored } from '../stored.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { COMMIT_VERSIONED } from './fleet-scripts.ts';

const MAX_WATCHES = 200;

export function createConciergeStore(redis: RedisConnection, stored: Stored, keys: FleetKeys): ConciergeStore {
	return {
		async read() {
			const [version, text] = await redis.ask((client) => client.hmget(keys.concierge, 'version', 'state'));
			// A damaged state reads as a fresh one: it is off then, and people see that.
			return {
				version: Number(version ?? 0),
				state: stored.parse(conciergeState, text, keys.concierge) ?? FRESH_CONCIERGE,
			};
		},
		commit: async (version, state) =>
			(await redis.run(COMMIT_VERSIONED, [keys.concierge], [version, JSON.stringify(state)])) === 1,
	};
}

export function createMemory(redis: RedisConnection, stored: Stored, keys: FleetKeys): MemoryStore {
	return {
		read: async (): Promise<ConciergeMemory> =>
			stored.parse(conciergeMemory, await redis.ask((client) => client.get(keys.memory)), keys.memory) ?? FRESH_MEMORY,
		async write(memory) {
			await redis.ask((client) => client.set(keys.memory, JSON.stringify(memory)));
		},
		async clear() {
			await redis.ask((client) => client.del(keys.memory));
		},
	};
}

export function createWatchStore(redis: RedisConnection, stored: Stored, keys: FleetKeys): WatchStore {
	const list = async () => {
		const texts = await redis.ask((client) => client.hgetall(keys.watches));
		return Object.entries(texts).flatMap(
			([id, text]) => stored.parse(watchSchema, text, `${keys.watches} ${id}`) ?? [],
		);
	};
	return {
		list,
		async put(watch) {
			if ((await redis.ask((client) => client.hlen(keys.watches))) >= MAX_WATCHES) return 'full';
			await redis.ask((client) => client.hset(keys.watches, watch.id, JSON.stringify(watch)));
			return 'set';
		},
		bySession: async (sessionId) => (await list()).filter((watch) => watch.sessionId === sessionId),
		async remove(id) {
			await redis.ask((client) => client.hdel(keys.watches, id));
		},
	};
}
