import { UnrecoverableError } from 'bullmq';

/** A job whose data is gone or wrong: Redis evicted it, or another version wrote it. Never retried, never "completed". */
export class HollowJob extends UnrecoverableError {
	readonly code = 'hollow_job';
	constructor(queue: string, job: { id?: string; name?: string }, problem: string) {
		super(`hollow_job: job ${job.id ?? '?'} (${job.name ?? 'no name'}) of ${queue} has no usable data: ${problem}`);
		this.name = 'HollowJob';
	}
}
