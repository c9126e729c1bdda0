import { randomUUID } from 'node:crypto';
import type { RedisConnection } from '../../adapters/redis/connection.ts';
import { createLeases } from '../../adapters/redis/stores/leases.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';
import type { QueueName } from '../../jobs/contracts.ts';
import { createWorker, type RunningWorker, type WorkerDeps, type WorkerPolicy } from '../../jobs/worker.ts';
import { createWorkerLife } from '../../jobs/worker-life.ts';

/** What a worker process has around its queues, on the Redis of a bench: a sign of life, and the means to serve them. */
export function createBenchWorkers(deps: {
	redis: RedisConnection;
	policies: Partial<Record<QueueName, WorkerPolicy>>;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	tracer: Tracer;
}) {
	const { redis, policies, log } = deps;
	const workers: RunningWorker[] = [];
	const leases = createLeases(redis);
	const lives = createWorkerLife({ leases, self: randomUUID(), leaseMs: () => 2_000, log });
	lives.start();
	let stopped: Promise<void> | undefined;
	return {
		leases,
		lives,
		serve<Name extends QueueName>(name: Name, handle: WorkerDeps<Name>['handle']): void {
			const policy = policies[name];
			if (policy === undefined) throw new Error(`this bench has no queue ${name}`);
			workers.push(
				createWorker({
					...deps,
					name,
					connection: redis.workers(name),
					prefix: redis.prefix,
					policy,
					handle,
					onCanary: async () => undefined,
				}),
			);
		},
		/** Stops `work`, what it runs, and the sign of life; any number of times. */
		stop(work: { stop(): Promise<void> }): Promise<void> {
			stopped ??= (async () => {
				await work.stop();
				await Promise.all(workers.map((worker) => worker.close(5_000)));
				await lives.stop();
			})();
			return stopped;
		},
	};
}
