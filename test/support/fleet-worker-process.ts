import { agentHost } from './agent-place.ts';
import { fastFleet, openFleet } from './fleet.ts';
import { scriptedOllama } from './fleet-scene.ts';
import { connectToGiven } from './given-redis.ts';
import { testLog } from './redis.ts';

/*
 * One worker of the fleet, for tests that kill it: `<redis url> <prefix> <ollama url> [<host> <folder of its agent place>]`.
 * SIGTERM ends it in order.
 */
const [url = '', prefix = '', ollamaUrl = '', host, root] = process.argv.slice(2);
const connect = () => connectToGiven(url, prefix);
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
	model: scriptedOllama(ollamaUrl),
	host: host === undefined || root === undefined ? undefined : agentHost(host, root, bench.desks, log),
});
process.on('SIGTERM', () => {
	bench.close().then(
		() => process.exit(0),
		() => process.exit(1),
	);
});
console.log('up');
