import { findRedis } from '../../adapters/redis/server/find-redis.ts';

/** Finds or starts Redis in a data folder, prints what it found, and stops it when its input ends. */
const [dataDir = '', allowEphemeral] = process.argv.slice(2);
const found = await findRedis({
	dataDir,
	env: process.env,
	allowEphemeral: allowEphemeral === 'ephemeral',
	report: (step) => console.log(`report ${step}`),
});
console.log(`found ${JSON.stringify({ kind: found.kind, how: found.how, where: found.where })}`);
process.stdin.resume();
process.stdin.on('end', async () => {
	await found.stop();
	console.log('stopped');
	process.exit(0);
});
