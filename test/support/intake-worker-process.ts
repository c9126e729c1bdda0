import { setTimeout as sleep } from 'node:timers/promises';
import { connectToGiven } from './given-redis.ts';
import { openIntake, scriptedModel, usualAnswer } from './intake.ts';
import { testLog } from './redis.ts';

/*
 * One worker of intakes, for tests that kill it: `<redis url> <prefix> <model ms> <sink ms>`. Each model call and each
 * delivery is counted in Redis before it takes its time.
 */
const [url = '', prefix = '', modelMs = '0', sinkMs = '0'] = process.argv.slice(2);
const connect = () => connectToGiven(url, prefix);
const tally = await connect();
const bench = await openIntake(
	{ connect },
	{
		model: scriptedModel(async (request) => {
			await tally.handlers.rpush('tally-calls', request.purpose);
			await sleep(Number(modelMs) * (0.5 + Math.random()));
			return usualAnswer(request);
		}),
		sinks: [
			{
				sink: {
					name: 'recorder',
					async deliver(packet) {
						await tally.handlers.rpush('tally-packets', `${packet.sessionId} ${packet.id}`);
						await sleep(Number(sinkMs));
						return { ok: true };
					},
				},
				attempts: 10,
				backoffMs: 200,
			},
		],
		log: testLog((level, fields, message) => {
			if (level === 'error') console.error(message, JSON.stringify(fields));
		}),
	},
);
bench.work();
console.log('up');
