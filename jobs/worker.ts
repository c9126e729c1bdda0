import { type Job, type Telemetry, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { anySignal } from '../core/any-signal.ts';
import type { Clock, Log, LogFields, Metrics } from '../core/ports.ts';
import { traceIdOf } from '../core/trace-context.ts';
import type { Tracer } from '../core/tracer.ts';
import { CANARY, canaryPayload, type JobPayload, jobPayloads, type QueueName } from './contracts.ts';
import { HollowJob } from './hollow-job.ts';
import { queuePrefix } from './queues.ts';

/** Longer than any handler may hold the event loop, so that a busy process does not lose its jobs. */
const LOCK_MS = 60_000;
const STALLED_CHECK_MS = 15_000;
/** What a handler may need to end after its signal. */
const STUCK_AFTER_MS = 5_000;

/** A handler went on long after its deadline. It is left behind: what it still does is up to its claims. */
class HandlerStuck extends UnrecoverableError {
	readonly code = 'handler_stuck';
	constructor(queue: string, deadlineMs: number) {
		super(`handler_stuck: a handler of ${queue} did not end within ${deadlineMs} ms`);
		this.name = 'HandlerStuck';
	}
}

export interface WorkerPolicy {
	concurrency: number;
	/** Always set: without one, manual pauses of a queue are ignored. */
	limiter: { max: number; duration: number };
	/** Hard end of one handler, in milliseconds. */
	deadlineMs: number;
	/** At least once instead of at most once: a job whose worker died is run again. Only for what may be done twice. */
	rerunStalled?: boolean;
	/** How long a dead worker's job stays untouched; a minute when absent. Shorter only together with `rerunStalled`. */
	lockMs?: number;
}

/** Which try of a job this is, of how many. */
export interface Attempt {
	readonly number: number;
	readonly of: number;
}

export interface WorkerDeps<Name extends QueueName> {
	name: Name;
	connection: Redis;
	prefix: string;
	policy: WorkerPolicy;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	/** Every job is a step of its own. */
	tracer: Tracer;
	telemetry?: Telemetry | undefined;
	/** Must stop soon after `signal` aborts; its answer is kept as the job's short result. */
	handle(payload: JobPayload<Name>, signal: AbortSignal, attempt: Attempt): Promise<string>;
	/** Called for each canary that came through. */
	onCanary(sentAt: number): Promise<void>;
}

export interface RunningWorker {
	readonly name: QueueName;
	/** Finishes what runs, at most `withinMs`. */
	close(withinMs: number): Promise<void>;
}

/** What is wrong with data, without a word of the data. */
function complaint({ issues }: z.ZodError): string {
	return issues.map(({ path, code }) => `${path.join('.') || 'all of it'}: ${code}`).join(', ');
}

/** The ids in a payload, by which its log lines are found. */
function idsOf(payload: Readonly<Record<string, unknown>>): LogFields {
	const names = {
		roomId: 'room',
		decisionId: 'decision',
		callId: 'call',
		sessionId: 'session',
		effectId: 'effect',
		packetId: 'packet',
		wake: 'wake',
	};
	const trace = typeof payload['trace'] === 'string' ? traceIdOf(payload['trace']) : undefined;
	const ids = Object.fromEntries(
		Object.entries(names).flatMap(([key, mark]) => (typeof payload[key] === 'string' ? [[mark, payload[key]]] : [])),
	);
	return trace === undefined ? ids : { ...ids, trace };
}

/**
 * A worker that never runs a job twice, unless its policy says so: one attempt, no rerun of a stalled job, and data that zod
 * accepted.
 */
export function createWorker<Name extends QueueName>(deps: WorkerDeps<Name>): RunningWorker {
	const { name, policy, log, metrics } = deps;
	const stopping = new AbortController();

	const process = async (job: Job): Promise<string> => {
		if (job.name === CANARY) {
			const canary = canaryPayload.safeParse(job.data);
			if (!canary.success) throw new HollowJob(name, job, complaint(canary.error));
			await deps.onCanary(canary.data.sentAt);
			return 'alive';
		}
		const payload = jobPayloads[name].safeParse(job.data);
		if (job.name !== name || !payload.success) {
			metrics.count('majordomo_hollow_jobs_total', { queue: name });
			throw new HollowJob(name, job, payload.success ? 'it carries another name' : complaint(payload.error));
		}
		const startedAt = deps.clock.now();
		metrics.observe('majordomo_job_wait_seconds', Math.max(0, startedAt - job.timestamp) / 1_000, { queue: name });
		const deadline = AbortSignal.timeout(policy.deadlineMs);
		try {
			const attempt = { number: job.attemptsMade + 1, of: job.opts.attempts ?? 1 };
			const signal = anySignal([deadline, stopping.signal]);
			const options = { kind: 'consumer', marks: idsOf(payload.data), attributes: { queue: name } } as const;
			return await deps.tracer.step(`job ${name}`, options, async (step) => {
				const end = await inTime(deps.handle(payload.data as JobPayload<Name>, signal, attempt));
				step.note({ end: end.slice(0, 40) });
				return end;
			});
		} finally {
			metrics.observe('majordomo_job_run_seconds', (deps.clock.now() - startedAt) / 1_000, { queue: name });
		}
	};

	/** A handler that does not hear its signal must not hold what waits behind it for ever. */
	const inTime = async (handling: Promise<string>): Promise<string> => {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<never>((_, reject) => {
			timer = setTimeout(() => reject(new HandlerStuck(name, policy.deadlineMs)), policy.deadlineMs + STUCK_AFTER_MS);
			timer.unref();
		});
		try {
			return await Promise.race([handling, late]);
		} finally {
			clearTimeout(timer);
		}
	};

	const worker = new Worker(name, process, {
		connection: deps.connection,
		prefix: queuePrefix(deps.prefix, name),
		concurrency: policy.concurrency,
		limiter: policy.limiter,
		...(deps.telemetry ? { telemetry: deps.telemetry } : {}),
		lockDuration: policy.lockMs ?? LOCK_MS,
		stalledInterval: Math.min(STALLED_CHECK_MS, (policy.lockMs ?? LOCK_MS) / 2),
		maxStalledCount: policy.rerunStalled ? 1_000 : 0,
		removeOnComplete: { count: 500, age: 86_400 },
		removeOnFail: { count: 1_000 },
	});
	worker.on('error', (error) => log.warn({ queue: name, problem: error.message }, 'worker connection'));
	worker.on('failed', (job, error) => {
		const fields = { queue: name, job: job?.id, ...idsOf(job?.data ?? {}), problem: error.message };
		if (job && job.attemptsMade < (job.opts.attempts ?? 1) && !(error instanceof UnrecoverableError)) {
			log.warn(fields, 'job failed and is tried again');
			return;
		}
		metrics.count('majordomo_jobs_failed_total', { queue: name });
		log.error(fields, 'job failed');
	});
	worker.on('lockRenewalFailed', (jobs) =>
		log.warn({ queue: name, jobs }, 'a job lost its lock; it will not be run again'),
	);

	return {
		name,
		async close(withinMs) {
			const late = setTimeout(() => stopping.abort(new Error('shutting down')), Math.max(0, withinMs - 500));
			const forced = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
			await Promise.race([worker.close(), forced]);
			clearTimeout(late);
		},
	};
}
