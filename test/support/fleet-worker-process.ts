import { createOllamaModel } from '../../adapters/model/ollama.ts';
import { createRedis } from '../../adapters/redis/connection.ts';
import { parseRedisUrl } from '../../adapters/redis/target.ts';
import { fastFleet, openFleet } from './fleet.ts';
import { testLog } from './redis.ts';

/* One worker of the fleet, for tests that kill it: `<redis url> <prefix> <ollama url>`. */
const [url = '', prefix = '', ollamaUrl = ''] = process.argv.slice(2);
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
const bench = await openFleet(
	{ connect },
	{
		settings: fastFleet({ concierge: { turnDeadlineMs: 60_000 } }),
		isShowing: false,
		log: testLog((level, fields, message) => {
			if (level === 'error') console.error(message, JSON.stringify(fields));
		}),
	},
);
bench.work({ model });
console.log('up');
