import { z } from 'zod';
import type { HostRegister } from '../../../core/fleet/host-register.ts';
import type { HostOffer } from '../../../core/fleet/start-desk.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';
import type { Stored } from '../stored.ts';
import type { FleetKeys } from './fleet-keys.ts';

const KNOWN_MS = 30 * 86_400_000;

/** KEYS machine, terms, known; ARGV host, holder, milliseconds, folders (JSON), ms it is known. Returns the term or 0. */
const HOLD = createScript(`
local holder = redis.call('HGET', KEYS[1], 'holder')
if holder and holder ~= ARGV[2] then return 0 end
local term = holder and redis.call('HGET', KEYS[2], ARGV[1])
if not term then term = redis.call('HINCRBY', KEYS[2], ARGV[1], 1) end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('HSET', KEYS[1], 'holder', ARGV[2], 'directories', ARGV[4], 'seenAt', now)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('ZADD', KEYS[3], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - tonumber(ARGV[5]))
return tonumber(term)
`);

/** KEYS machine; ARGV holder. */
const RELEASE = createScript(`
if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

const folders = z.array(z.string());

export function createHostRegister(redis: RedisConnection, stored: Stored, keys: FleetKeys): HostRegister {
	const known = () => redis.ask((client) => client.zrange(keys.hosts, 0, -1));

	async function offer(host: string): Promise<HostOffer | undefined> {
		const [json, seenAt] = await redis.ask((client) => client.hmget(keys.host(host), 'directories', 'seenAt'));
		const directories = stored.parse(folders, json, keys.host(host));
		return directories && { host, directories, seenAt: Number(seenAt) };
	}

	return {
		async hold({ host, directories }, holder, ms) {
			const term = Number(
				await redis.run(
					HOLD,
					[keys.host(host), keys.hostTerms, keys.hosts],
					[host, holder, ms, JSON.stringify(directories), KNOWN_MS],
				),
			);
			return term === 0 ? undefined : term;
		},
		async release(host, holder) {
			await redis.run(RELEASE, [keys.host(host)], [holder]);
		},
		async offers() {
			const offers = await Promise.all((await known()).map(offer));
			return offers.filter((each) => each !== undefined);
		},
		known,
	};
}
