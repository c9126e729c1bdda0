import { randomUUID } from 'node:crypto';
import type { Leases } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';

/** KEYS lease; ARGV owner, milliseconds. */
const HOLD = createScript(`
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`);

/** KEYS lease; ARGV owner. */
const RELEASE = createScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

/**
 * Rights that one holder has at a time. `owner` tells holders apart and is new for each process, so that a restarted
 * one cannot take itself for its predecessor.
 */
export function createLeases(redis: RedisConnection, owner: string = randomUUID()): Leases {
	return {
		hold: async (name, ms) => (await redis.run(HOLD, [redis.keys.lease(name)], [owner, ms])) === 1,
		isHeld: async (name) => (await redis.ask((client) => client.exists(redis.keys.lease(name)))) === 1,
		async release(name) {
			await redis.run(RELEASE, [redis.keys.lease(name)], [owner]);
		},
	};
}
