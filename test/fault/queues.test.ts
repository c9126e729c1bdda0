import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openQueueBench, QUEUE, type QueueBench } from '../support/queue-bench.ts';
import { eventually, startTestRedis, type TestRedis } from '../support/redis.ts';

let server: TestRedis;
let bench: QueueBench;
beforeEach(async () => {
	server = await startTestRedis({ own: true });
	bench = await openQueueBench(server);
});
afterEach(async () => {
	await bench.close();
	await server.stop();
});

const handled = (wake: string) => bench.ran.filter((each) => each === wake).length;

test('OPS-15 Q02 Redis is killed and comes back with its data: adding fails in time, nothing is added twice, what waited runs', async () => {
	await bench.add('before');
	await server.killHard();
	const askedAt = performance.now();
	await expect(bench.add('during')).rejects.toThrow();
	// It has a deadline; a second or two, whatever the machine does besides.
	expect(performance.now() - askedAt).toBeLessThan(10_000);
	await server.restart();
	bench.work();
	await eventually('adding works again', () =>
		bench.add('after').then(
			() => true,
			() => false,
		),
	);
	await eventually('both ran', () => handled('before') === 1 && handled('after') === 1);
	await sleep(500);
	expect(handled('during')).toBe(0);
	expect(bench.ran).toHaveLength(2);
}, 60_000);

test('OPS-15 Q02 Redis comes back empty while a job runs: it is not run again, new ones run, and the beats go on', async () => {
	let letGo = () => {};
	const held = new Promise<void>((resolve) => {
		letGo = resolve;
	});
	bench.work(async (wake) => {
		if (wake === 'long') await held;
		return 'done';
	});
	bench.canary.start();
	await eventually('beats come through', () => bench.canaries.length > 0);
	await bench.add('long');
	await eventually('it runs', () => handled('long') === 1);
	await server.restart({ empty: true });
	letGo();
	await eventually('adding works again', () =>
		bench.add('new').then(
			() => true,
			() => false,
		),
	);
	await eventually('the new one runs', () => handled('new') === 1, 40_000);
	const beats = bench.canaries.length;
	await eventually('the beats go on', () => bench.canaries.length > beats + 2, 40_000);
	expect(handled('long')).toBe(1);
	// Everything was gone, and yet no worker is taken for dead.
	expect(bench.revived).toEqual([]);
	expect(await bench.canary.dead()).toEqual([]);
	expect((await bench.queues.queue(QUEUE).getFailed()).length).toBe(0);
}, 90_000);
