import { createRedis } from '../../adapters/redis/connection.ts';
import { createStored } from '../../adapters/redis/stored.ts';
import { createBus } from '../../adapters/redis/stores/bus.ts';
import { createLeases } from '../../adapters/redis/stores/leases.ts';
import { parseRedisUrl } from '../../adapters/redis/target.ts';
import { testLog } from './redis.ts';

/** Reads the bus as group `relay` and prints what it takes in hand; with `hang` it never finishes the first message. */
const [url = '', prefix = '', hang] = process.argv.slice(2);
const redis = createRedis({
	where: parseRedisUrl(url),
	prefix,
	commandTimeoutMs: 2_000,
	log: testLog(),
	now: Date.now,
});
await redis.ready(10_000);
const bus = createBus(redis, createStored(redis), createLeases(redis));
bus.consume('relay', async (message) => {
	console.log(message.id);
	if (hang) await new Promise(() => undefined);
});
