import type { Redis } from 'ioredis';
import type { Clock, Log, Metrics } from '../core/ports.ts';
import { CANARY, type QueueName } from './contracts.ts';
import type { Queues } from './queues.ts';

/** `deadAfterMs`: a queue whose canary has not come through for this long has no living worker. */
const TIMINGS = { everyMs: 10_000, deadAfterMs: 60_000 };

export interface Canary {
	/** Records that a canary came through. */
	beat(name: QueueName, sentAt: number): Promise<void>;
	/** Queues without a living worker, by any process, as of now. */
	dead(): Promise<QueueName[]>;
	start(): void;
	stop(): void;
}

/**
 * Sends one small job through every queue each ten seconds. `isRunning()` of a worker stays true after some outages, so
 * only a job that comes out at the other end proves that a queue is served.
 */
export function createCanary(deps: {
	queues: Queues;
	connection: Redis;
	prefix: string;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	/** Queues that this house serves at all. */
	names(): readonly QueueName[];
	/** Replaces this process's worker of the queue. */
	revive(name: QueueName): void;
	timings?: typeof TIMINGS;
}): Canary {
	const { connection, clock, log, metrics } = deps;
	const { everyMs, deadAfterMs } = deps.timings ?? TIMINGS;
	/** Newest beats that this process saw: a Redis that came back empty makes no worker dead. */
	const seen = new Map<QueueName, number>();
	const key = `{${deps.prefix}:pulse}:v1`;
	let startedAt = 0;
	let timer: NodeJS.Timeout | undefined;

	const lastBeat = async (name: QueueName): Promise<number> => {
		const beat = Math.max(startedAt, seen.get(name) ?? 0, Number((await connection.hget(key, name)) ?? 0));
		seen.set(name, beat);
		return beat;
	};

	const dead = async (): Promise<QueueName[]> => {
		const silent: QueueName[] = [];
		for (const name of deps.names()) {
			const silentMs = clock.now() - (await lastBeat(name));
			metrics.gauge('majordomo_queue_canary_age_seconds', silentMs / 1_000, { queue: name });
			if (silentMs > deadAfterMs) silent.push(name);
		}
		return silent;
	};

	const tick = async (): Promise<void> => {
		for (const name of deps.names()) {
			// Through the bare queue: a canary is no work item, so it has no payload schema of its own queue.
			await deps.queues
				.queue(name)
				.add(CANARY, { sentAt: clock.now() }, { deduplication: { id: CANARY, ttl: everyMs * 0.9 } });
		}
		for (const name of await dead()) {
			log.error({ queue: name }, 'no job came through for a minute; the worker is replaced');
			seen.set(name, clock.now());
			await connection.hset(key, name, clock.now());
			deps.revive(name);
		}
	};

	return {
		async beat(name, sentAt) {
			await connection.hset(key, name, sentAt);
		},
		dead,
		start() {
			startedAt = clock.now();
			timer = setInterval(() => {
				tick().catch((error: Error) => {
					// While none can be sent, none can come through: the time of a worker begins anew.
					startedAt = clock.now();
					log.warn({ problem: error.message }, 'canary not sent');
				});
			}, everyMs);
			timer.unref();
		},
		stop() {
			clearInterval(timer);
		},
	};
}
