import type { Clock } from '../../core/ports.ts';

/** The machine's wall clock. */
export function createSystemClock(): Clock {
	return { now: () => Date.now() };
}
