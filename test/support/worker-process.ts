import { createInterface } from 'node:readline';
import { parseRedisUrl } from '../../adapters/redis/target.ts';
import type { Environment } from '../../config/env.ts';
import type { Settings } from '../../config/schema.ts';
import { startHousehold } from '../../main.ts';
import { testLog } from './redis.ts';

/** What `processHouse` hands over on the first line of standard input. */
export interface WorkerOrder {
	readonly settings: Settings;
	readonly environment: Environment;
	readonly redisUrl: string;
}

/*
 * One process of the household, for tests that kill it. It says `loaded` once its code is there, waits for its order so
 * that a test can have a successor at hand, and says `up` once it runs.
 */
console.log('loaded');
const [line] = await new Promise<[string]>((resolve) => {
	createInterface({ input: process.stdin }).once('line', (text) => resolve([text]));
});
const order = JSON.parse(line) as WorkerOrder;
const household = await startHousehold({
	settings: () => order.settings,
	environment: order.environment,
	redis: {
		kind: 'given',
		how: 'a Redis for tests',
		where: parseRedisUrl(order.redisUrl),
		stop: async () => undefined,
	},
	log: testLog((level, fields, message) => {
		if (level === 'warn' || level === 'error') console.error(level, message, JSON.stringify(fields));
	}),
});
process.on('SIGTERM', () => {
	household.stop().then(
		() => process.exit(0),
		() => process.exit(1),
	);
});
console.log(`http ${household.httpUrl}`);
console.log('up');
