import type { WorkerPolicy } from '../worker.ts';

/**
 * Both may be run again: what was begun in a session is noted and not begun twice, and a turn of the concierge goes on
 * under its id where it stopped.
 */
export const FLEET_POLICIES: Readonly<Record<'fleet-deliver' | 'fleet-wake', WorkerPolicy>> = {
	'fleet-deliver': {
		concurrency: 50,
		limiter: { max: 2_000, duration: 1_000 },
		deadlineMs: 120_000,
		rerunStalled: true,
		lockMs: 10_000,
	},
	// One turn at a time is the state's business; a second job finds nothing to do and ends.
	'fleet-wake': {
		concurrency: 2,
		limiter: { max: 100, duration: 1_000 },
		deadlineMs: 900_000,
		rerunStalled: true,
		lockMs: 10_000,
	},
};
