import type { RedisConnection } from '../../adapters/redis/connection.ts';
import { type Canary, createCanary } from '../../jobs/canary.ts';
import type { JobPayload } from '../../jobs/contracts.ts';
import { createQueues, type Queues } from '../../jobs/queues.ts';
import { createWorker, type RunningWorker } from '../../jobs/worker.ts';
import { createMemoryLog, createMemoryMetrics } from './fakes/memory-log.ts';
import { testTracer } from './fakes/test-tracer.ts';
import type { TestRedis } from './redis.ts';

/** The queue of most tests: one that may be run again, with a short payload. */
export const QUEUE = 'fleet-wake';

/** Our queues as one process has them, on a real Redis. */
export interface QueueBench {
	readonly redis: RedisConnection;
	readonly queues: Queues;
	readonly metrics: ReturnType<typeof createMemoryMetrics>;
	readonly log: ReturnType<typeof createMemoryLog>;
	/** Payloads that the worker began, oldest first. */
	readonly ran: string[];
	readonly canaries: number[];
	/** Queues whose worker the self-check replaced. */
	readonly revived: string[];
	readonly canary: Canary;
	/** Starts a worker; `handle` says how its jobs end. */
	work(handle?: (wake: string, signal: AbortSignal) => Promise<string>, deadlineMs?: number): RunningWorker;
	add(wake: string, options?: Parameters<Queues['add']>[2]): Promise<void>;
	close(): Promise<void>;
}

export async function openQueueBench(
	server: TestRedis,
	timings = { everyMs: 400, deadAfterMs: 2_000 },
): Promise<QueueBench> {
	const redis = await server.connect({ commandTimeoutMs: 1_000 });
	const metrics = createMemoryMetrics();
	const log = createMemoryLog();
	const queues = createQueues({ connection: redis.handlers, prefix: redis.prefix, log });
	const ran: string[] = [];
	const canaries: number[] = [];
	const revived: string[] = [];
	const workers: RunningWorker[] = [];
	const canary = createCanary({
		queues,
		connection: redis.handlers,
		prefix: redis.prefix,
		clock: { now: Date.now },
		log,
		metrics,
		names: () => [QUEUE],
		revive: (name) => void revived.push(name),
		timings,
	});
	return {
		redis,
		queues,
		metrics,
		log,
		ran,
		canaries,
		revived,
		canary,
		work(handle = async () => 'done', deadlineMs = 20_000) {
			const worker = createWorker<typeof QUEUE>({
				name: QUEUE,
				connection: redis.workers(QUEUE),
				prefix: redis.prefix,
				policy: {
					concurrency: 1,
					limiter: { max: 1_000, duration: 1_000 },
					deadlineMs,
					rerunStalled: true,
					lockMs: 4_000,
				},
				clock: { now: Date.now },
				log,
				metrics,
				tracer: testTracer(),
				handle: ({ wake }: JobPayload<typeof QUEUE>, signal) => {
					ran.push(wake);
					return handle(wake, signal);
				},
				async onCanary(sentAt) {
					canaries.push(sentAt);
					await canary.beat(QUEUE, sentAt);
				},
			});
			workers.push(worker);
			return worker;
		},
		add: (wake, options) => queues.add(QUEUE, { wake }, options),
		async close() {
			canary.stop();
			await Promise.all(workers.map((worker) => worker.close(500)));
			await queues.close().catch(() => undefined);
			await redis.close();
		},
	};
}
