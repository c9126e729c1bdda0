import { type JobsOptions, Queue, type Telemetry } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Log } from '../core/ports.ts';
import { type JobPayload, jobPayloads, QUEUE_NAMES, type QueueName } from './contracts.ts';

/** Biggest payload in bytes: jobs carry ids, conversations stay in their stores. */
const SIZE_LIMIT_BYTES = 64 * 1024;

export type AddOptions = Pick<JobsOptions, 'jobId' | 'deduplication' | 'delay' | 'priority' | 'attempts' | 'backoff'>;

export interface Queues {
	readonly all: readonly Queue[];
	queue(name: QueueName): Queue;
	/** Validates, then adds. Rejects on a bad payload, and when Redis cannot be reached within its command timeout. */
	add<Name extends QueueName>(name: Name, payload: JobPayload<Name>, options?: AddOptions): Promise<void>;
	close(): Promise<void>;
}

/** Prefix of a queue's keys: its own hash tag, so that queues can live on different nodes of a cluster. */
export function queuePrefix(prefix: string, name: QueueName): string {
	return `{${prefix}:${name}}`;
}

/**
 * One Queue object a name and process, over a client that fails at once when Redis is away.
 * Finished jobs are kept by count and age, so that memory stays flat.
 */
export function createQueues(deps: {
	connection: Redis;
	prefix: string;
	log: Log;
	/** Carries traces into the jobs. */
	telemetry?: Telemetry | undefined;
}): Queues {
	const queues = new Map<QueueName, Queue>();
	for (const name of QUEUE_NAMES) {
		const queue = new Queue(name, {
			connection: deps.connection,
			prefix: queuePrefix(deps.prefix, name),
			...(deps.telemetry ? { telemetry: deps.telemetry } : {}),
			streams: { events: { maxLen: 1_000 } },
			defaultJobOptions: {
				attempts: 1,
				removeOnComplete: { count: 500, age: 86_400 },
				removeOnFail: { count: 1_000, age: 14 * 86_400 },
				sizeLimit: SIZE_LIMIT_BYTES,
			},
		});
		queue.on('error', (error) => deps.log.warn({ queue: name, problem: error.message }, 'queue connection'));
		queues.set(name, queue);
	}
	const queue = (name: QueueName): Queue => {
		const found = queues.get(name);
		if (!found) throw new Error(`no queue named ${name}`);
		return found;
	};
	return {
		all: [...queues.values()],
		queue,
		async add(name, payload, options = {}) {
			await queue(name).add(name, jobPayloads[name].parse(payload), options);
		},
		async close() {
			await Promise.all([...queues.values()].map((item) => item.close()));
		},
	};
}
