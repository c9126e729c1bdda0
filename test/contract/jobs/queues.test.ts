import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { queuePrefix } from '../../../jobs/queues.ts';
import { openQueueBench, QUEUE, type QueueBench } from '../../support/queue-bench.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
const benches: QueueBench[] = [];
beforeAll(async () => {
	server = await startTestRedis();
});
afterEach(async () => {
	await Promise.all(benches.splice(0).map((bench) => bench.close()));
	await server.flush();
});
afterAll(() => server.stop());

async function open(timings?: Parameters<typeof openQueueBench>[1]): Promise<QueueBench> {
	const bench = await openQueueBench(server, timings);
	benches.push(bench);
	return bench;
}
const keyOf = (bench: QueueBench, part: string) => `${queuePrefix(bench.redis.prefix, QUEUE)}:${QUEUE}:${part}`;

test('Q05 four processes that beat at once, one that dies and comes back and one with another interval: one beat an interval', async () => {
	const all = await Promise.all([open(), open(), open(), open()]);
	all[0]?.work();
	for (const bench of all) bench.canary.start();
	const beats = () => all.flatMap(({ canaries }) => canaries);
	await eventually('some beats came through', () => beats().length >= 4);
	all[1]?.canary.stop();
	all[1]?.canary.start();
	const again = await open({ everyMs: 300, deadAfterMs: 2_000 });
	again.canary.start();
	const since = Date.now();
	const before = beats().length;
	await sleep(3_000);
	const passedMs = Date.now() - since;
	const came = beats().length - before;
	// Five processes in step would give five times as many. A beat is kept apart from the next by 0.9 of the shortest interval.
	expect(came).toBeLessThanOrEqual(Math.ceil(passedMs / (300 * 0.9)) + 1);
	expect(came).toBeGreaterThanOrEqual(2);
	expect(all.flatMap(({ revived }) => revived)).toEqual([]);
	expect(await all[0]?.queues.queue(QUEUE).getJobSchedulers()).toEqual([]);
}, 60_000);

test('Q05 a queue whose beats do not come through is told within the time, and its worker replaced', async () => {
	const bench = await open({ everyMs: 200, deadAfterMs: 1_000 });
	bench.canary.start();
	expect(await bench.canary.dead()).toEqual([]);
	await eventually('it is found dead', () => bench.revived.length > 0);
	expect(bench.revived[0]).toBe(QUEUE);
	bench.work();
	await eventually('a worker makes it live', () => bench.canaries.length > 0);
	expect(await bench.canary.dead()).toEqual([]);
}, 60_000);

test('Q08 a deduplication key without its job swallows nothing', async () => {
	const bench = await open();
	await bench.redis.handlers.set(keyOf(bench, 'de:wake'), '999');
	await bench.add('first', { deduplication: { id: 'wake', ttl: 60_000 } });
	bench.work();
	await eventually('it ran', () => bench.ran.includes('first'));
});

test('Q08 deduplication keys end by themselves', async () => {
	const bench = await open();
	await bench.add('first', { deduplication: { id: 'wake', ttl: 700 } });
	await bench.add('second', { deduplication: { id: 'wake', ttl: 700 } });
	expect(await bench.queues.queue(QUEUE).getWaitingCount()).toBe(1);
	expect(await bench.redis.handlers.pttl(keyOf(bench, 'de:wake'))).toBeGreaterThan(0);
	await eventually('it is over', async () => (await bench.redis.handlers.exists(keyOf(bench, 'de:wake'))) === 0);
	await bench.add('third', { deduplication: { id: 'wake', ttl: 700 } });
	bench.work();
	await eventually('both ran', () => bench.ran.length === 2);
	expect(bench.ran).toEqual(['first', 'third']);
});

test('Q08 a handler that hangs and does not hear its signal is ended: what waits behind it runs', async () => {
	const bench = await open();
	bench.work((wake) => (wake === 'hangs' ? new Promise(() => undefined) : Promise.resolve('done')), 500);
	await bench.add('hangs');
	await eventually('it hangs', () => bench.ran.includes('hangs'));
	await bench.add('behind');
	await eventually('the next one runs', () => bench.ran.includes('behind'), 30_000);
	const failed = await eventually('it counts as failed', async () => {
		const [job] = await bench.queues.queue(QUEUE).getFailed();
		return job;
	});
	expect(failed.failedReason).toContain('handler_stuck');
	expect(bench.ran.filter((wake) => wake === 'hangs')).toHaveLength(1);
}, 60_000);

test('Q09 a job whose data was evicted fails as hollow, is counted once and never completed; the others run', async () => {
	const bench = await open();
	await bench.add('kept');
	await bench.add('evicted', { jobId: 'wake-x' });
	await bench.add('also kept');
	await bench.redis.handlers.del(keyOf(bench, 'wake-x'));
	bench.work();
	await eventually('the others ran', () => bench.ran.length === 2);
	expect(bench.ran).toEqual(['kept', 'also kept']);
	await eventually(
		'it is counted',
		() => bench.metrics.counts.get(`majordomo_hollow_jobs_total{queue=${QUEUE}}`) === 1,
	);
	const completed = await bench.queues.queue(QUEUE).getCompleted();
	expect(completed.map(({ data }) => data.wake).sort()).toEqual(['also kept', 'kept']);
	await eventually('it is said', () =>
		bench.log.lines.some(({ fields }) => String(fields['problem']).includes('hollow_job')),
	);
});

test('Q09 jobs of another name or shape are never taken for ours', async () => {
	const bench = await open();
	const queue = bench.queues.queue(QUEUE);
	await queue.add('relay', { wake: 'of another name' });
	await queue.add(QUEUE, { wake: '' });
	await queue.add(QUEUE, { wake: 'good', more: 1 });
	await queue.add('canary', {});
	bench.work();
	await eventually('all failed', async () => (await queue.getFailedCount()) === 4);
	expect(bench.ran).toEqual([]);
	expect(bench.canaries).toEqual([]);
	expect(await queue.getCompletedCount()).toBe(0);
});

test('Q10 what is too big or no plain data is refused when it is added', async () => {
	const bench = await open();
	await expect(bench.add('x'.repeat(70_000))).rejects.toThrow();
	await expect(bench.queues.queue(QUEUE).add(QUEUE, { wake: 'x'.repeat(70_000) })).rejects.toThrow(/exceed/);
	for (const wake of [1n, new Map([[1, 2]]), undefined])
		await expect(bench.queues.add(QUEUE, { wake } as never)).rejects.toThrow();
	expect(await bench.queues.queue(QUEUE).getWaitingCount()).toBe(0);
});

test('Q10 thousands of jobs open no connection more and leave a bounded remainder in Redis', async () => {
	const bench = await open();
	bench.work();
	const { handlers } = bench.redis;
	const clients = async () =>
		String(await handlers.client('LIST'))
			.trim()
			.split('\n').length;
	const bytes = async () => Number(/used_memory_dataset:(\d+)/.exec(await handlers.info('memory'))?.[1]);
	const run = async (jobs: number) => {
		const end = bench.ran.length + jobs;
		for (let at = 0; at < jobs; at += 100)
			await Promise.all(Array.from({ length: 100 }, (_, n) => bench.add(`w${at + n}`)));
		await eventually('all ran', () => bench.ran.length >= end, 60_000);
	};
	await run(1_500);
	const before = { clients: await clients(), bytes: await bytes() };
	await run(2_500);
	expect(await clients()).toBeLessThanOrEqual(before.clients);
	expect((await bytes()) - before.bytes).toBeLessThan(1_000_000);
	expect(await bench.queues.queue(QUEUE).getCompletedCount()).toBeLessThanOrEqual(501);
	expect(await handlers.xlen(keyOf(bench, 'events'))).toBeLessThan(1_300);
	const { removeOnComplete, removeOnFail } = bench.queues.queue(QUEUE).defaultJobOptions;
	const bounded = { count: expect.any(Number), age: expect.any(Number) };
	expect([removeOnComplete, removeOnFail]).toEqual([bounded, bounded]);
}, 120_000);
