import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { describeTarget } from '../../adapters/redis/target.ts';
import { startChild } from '../support/child.ts';
import { answer, begin, type IntakeBench, openIntake, scriptedModel, usualAnswer } from '../support/intake.ts';
import { eventually, startTestRedis, type TestRedis } from '../support/redis.ts';

const MODEL_MS = 1_000;
/** Rounds that begin in a second, over all sessions. */
const ROUNDS_PER_SECOND = 50;
const BOUND_MS = 50;

/** Hears of moves and looks at nothing but the two fields that say where a session stands. */
function createWatch(bench: IntakeBench) {
	const waiting = new Map<string, () => void>();
	const unhear = bench.stores.work.onMove((id) => waiting.get(id)?.());
	const standOf = (id: string) =>
		bench.redis.handlers.hmget(`{${bench.redis.prefix}:intake}:v1:session:${id}`, 'state', 'round');
	return {
		/** Resolves when the session stands there. */
		until: (id: string, state: string, round: number) =>
			new Promise<void>((resolve) => {
				const look = () =>
					void standOf(id).then(([nowState, nowRound]) => {
						if (nowState !== state || Number(nowRound) !== round) return;
						clearInterval(timer);
						waiting.delete(id);
						resolve();
					});
				const timer = setInterval(look, 1_000);
				waiting.set(id, look);
				look();
			}),
		close: unhear,
	};
}

async function usedMemory(bench: IntakeBench): Promise<number> {
	return Number(/used_memory:(\d+)/.exec(await bench.redis.handlers.info('memory'))?.[1]);
}

function spread(values: readonly number[]): string {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
	return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`;
}

/** Sends an empty job through a queue of its own each 100 ms: whatever slows the machine down slows it too. */
function compareQueue(bench: IntakeBench): { stop(): Promise<number[]> } {
	const prefix = `{${bench.redis.prefix}:compare}`;
	const queue = new Queue('compare', { connection: bench.redis.handlers, prefix });
	const times: number[] = [];
	const worker = new Worker('compare', async ({ data }) => void times.push(performance.now() - data.at), {
		connection: bench.redis.workers('compare'),
		prefix,
		concurrency: 10,
		removeOnComplete: { count: 1 },
	});
	queue.on('error', () => undefined);
	worker.on('error', () => undefined);
	const timer = setInterval(() => void queue.add('empty', { at: performance.now() }).catch(() => undefined), 100);
	return {
		async stop() {
			clearInterval(timer);
			await worker.close();
			await queue.close();
			return times;
		},
	};
}

/** One worker process, many people: how long a round takes beyond the model's own time, and what a session costs. */
async function measure(server: TestRedis, sessions: number): Promise<string[]> {
	/** How long the model really took, by what it was asked about. */
	const modelMs = new Map<string, number>();
	const bench = await openIntake(server, {
		model: scriptedModel(async (request) => {
			const startedAt = performance.now();
			await sleep(MODEL_MS);
			const about = /visitor (\d+)/.exec(request.messages.map(({ content }) => content).join('\n'))?.[1] ?? '';
			modelMs.set(about, performance.now() - startedAt);
			return usualAnswer(request);
		}),
	});
	bench.work();
	const watch = createWatch(bench);
	// Code that runs for the first time is slow, and no figure of a house that has been up for a minute.
	const warm = await Promise.all(Array.from({ length: 30 }, () => begin(bench, 'a shop for warming up')));
	await Promise.all(warm.map((id) => watch.until(id, 'QUESTIONING', 1)));
	await Promise.all(warm.map((id) => bench.stores.work.delete(id)));
	const before = { rss: process.memoryUsage().rss, redis: await usedMemory(bench) };
	const ids: string[] = [];
	const round = async (act: (n: number) => Promise<string>, state: string, count: number): Promise<number[]> => {
		const added: number[] = [];
		const running: Promise<void>[] = [];
		for (let n = 0; n < sessions; n += 1) {
			running.push(
				(async () => {
					const startedAt = performance.now();
					const id = await act(n);
					await watch.until(id, state, count);
					added.push(performance.now() - startedAt - (modelMs.get(String(n)) ?? 0));
				})(),
			);
			await sleep(1_000 / ROUNDS_PER_SECOND);
		}
		await Promise.all(running);
		return added;
	};
	const first = await round(
		async (n) => {
			const id = await begin(bench, `a shop for visitor ${n} with mugs and plates`);
			ids[n] = id;
			return id;
		},
		'QUESTIONING',
		1,
	);
	const after = { rss: process.memoryUsage().rss, redis: await usedMemory(bench) };
	const compared = compareQueue(bench);
	const second = await round(
		async (n) => {
			const id = ids[n] ?? '';
			await bench.desk.submit(id, answer('blue ones, kept for a year'), { waitMs: 0 });
			return id;
		},
		'QUESTIONING',
		2,
	);
	const empty = await compared.stop();
	await round(
		async (n) => {
			const id = ids[n] ?? '';
			await bench.desk.submit(id, answer('by friday'), { waitMs: 0 });
			return id;
		},
		'COMPLETE',
		3,
	);
	const delivered = await eventually(
		'all are delivered',
		async () => {
			const entries = await bench.stores.inbox.list({ limit: sessions + 10 });
			return entries.filter(({ deliveries }) => deliveries.every(({ state }) => state === 'delivered')).length ===
				sessions
				? entries
				: undefined;
		},
		60_000,
	);
	const asked = await Promise.all(
		ids.map(
			async (id) => (await bench.stores.surface.items(id, 'cxp')).filter(({ item }) => item?.kind === 'ask').length,
		),
	);
	await watch.close();
	await bench.close();
	const kb = (bytes: number) => `${(bytes / 1_024 / sessions).toFixed(0)} KB`;
	const figure = (name: string, values: number[]) =>
		`${`${sessions} sessions, ${name}`.padEnd(34)} ${spread(values)}   (bound: p95 ${BOUND_MS} ms)`;
	const rounds = asked.reduce((sum, count) => sum + count, 0);
	return [
		figure('first questions', first),
		figure('next questions', second),
		`${'  meanwhile, one empty job'.padEnd(34)} ${spread(empty)}   (what the machine and the queue take of it, three times a round)`,
		`${`${sessions} sessions, memory of each`.padEnd(34)} process ${kb(after.rss - before.rss)}, Redis ${kb(after.redis - before.redis)}   (bound: 1 MB)`,
		`${`${sessions} sessions, lost or doubled`.padEnd(34)} ${Math.abs(rounds - 2 * sessions)} rounds, ${sessions - new Set(delivered.map(({ sessionId }) => sessionId)).size} packets`,
	];
}

/** The only worker is killed while half of the sessions wait for it; a new one starts from nothing. */
async function restart(server: TestRedis, sessions: number): Promise<string> {
	const bench = await openIntake(server);
	const url = describeTarget(server.where).replace('unix:', 'unix://');
	const start = async () => {
		const child = startChild('test/support/intake-worker-process.ts', [url, server.prefix, '300', '0']);
		await eventually('a worker is up', () => child.lines.includes('up'), 60_000);
		return child;
	};
	const watch = createWatch(bench);
	const first = await start();
	const ids = await Promise.all(Array.from({ length: sessions }, () => begin(bench)));
	await Promise.all(ids.map((id) => watch.until(id, 'QUESTIONING', 1)));
	await Promise.all(ids.map((id) => bench.desk.submit(id, answer('blue ones'), { waitMs: 0 })));
	await sleep(150);
	await first.end('SIGKILL');
	const startedAt = performance.now();
	const second = await start();
	await Promise.all(ids.map((id) => watch.until(id, 'QUESTIONING', 2)));
	const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
	const rounds = await Promise.all(
		ids.map(
			async (id) => (await bench.stores.surface.items(id, 'cxp')).filter(({ item }) => item?.kind === 'ask').length,
		),
	);
	await second.end('SIGKILL');
	await watch.close();
	await bench.close();
	return `${`${sessions} sessions, worker killed`.padEnd(34)} all go on after ${seconds} s, ${rounds.filter((count) => count !== 2).length} rounds lost or doubled`;
}

export async function benchIntake(): Promise<string[]> {
	const server = await startTestRedis({ own: true });
	try {
		const lines = [...(await measure(server, 100))];
		await server.flush();
		lines.push(...(await measure(server, 1_000)));
		await server.flush();
		lines.push(await restart(server, 100));
		return lines;
	} finally {
		await server.stop();
	}
}
