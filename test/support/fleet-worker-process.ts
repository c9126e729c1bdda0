import { createOllamaModel } from '../../adapters/model/ollama.ts';
import { createRedis } from '../../adapters/redis/connection.ts';
import { parseRedisUrl } from '../../adapters/redis/target.ts';
import { agentHost } from './agent-place.ts';
import { fastFleet, openFleet } from './fleet.ts';
import { testLog } from './redis.ts';

/*
 * One worker of the fleet, for tests that kill it: `<redis url> <prefix> <ollama url> [<host> <folder of its agent place>]`.
 * SIGTERM ends it in order.
 */
const [url = '', prefix = '', ollamaUrl = '', host, root] = process.argv.slice(2);
const connect = async () => {
	const redis = createRedis({
		where: parseRedisUrl(url),
		prefix,
		commandTimeoutMs: 5_000,
		log: testLog(),
		now: Date.now,
	});
	await redis.ready(20_000);
	return redis;
};
const model = createOllamaModel({
	baseUrl: ollamaUrl,
	model: 'scripted',
	numCtx: 16_384,
	maxOutputTokens: 2_000,
	think: false,
	keepAlive: -1,
	temperature: 0,
});
const log = testLog((level, fields, message) => {
	if (level === 'error' || level === 'warn') console.error(message, JSON.stringify(fields));
});
const bench = await openFleet(
	{ connect },
	{
		settings: fastFleet({ concierge: { turnDeadlineMs: 60_000 } }),
		isShowing: false,
		log,
	},
);
bench.work({
	model,
	host: host === undefined || root === undefined ? undefined : agentHost(host, root, bench.desks, log),
});
process.on('SIGTERM', () => {
	bench.close().then(
		() => process.exit(0),
		() => process.exit(1),
	);
});
console.log('up');
