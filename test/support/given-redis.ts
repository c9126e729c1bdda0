import { createRedis, type RedisConnection } from '../../adapters/redis/connection.ts';
import { parseRedisUrl } from '../../adapters/redis/target.ts';
import { testLog } from './redis.ts';

/** A connection of a child process to the Redis that its test named. */
export async function connectToGiven(url: string, prefix: string): Promise<RedisConnection> {
	const redis = createRedis({
		where: parseRedisUrl(url),
		prefix,
		commandTimeoutMs: 5_000,
		log: testLog(),
		now: Date.now,
	});
	await redis.ready(20_000);
	return redis;
}
