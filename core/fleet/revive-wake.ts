import type { ConciergeState, Wake } from './concierge-state.ts';
import { failedState } from './failed-wake.ts';
import type { WakeInput } from './wake-input.ts';

/** Times a turn is begun before it is given up. */
const TRIES_MAX = 2;

/**
 * A turn that is past its deadline, or whose process is gone, is run again under its id, so that what it did already is found
 * and not done twice. After the second death it counts as failed.
 */
export function reviveDead(input: Pick<WakeInput, 'state' | 'now' | 'settings' | 'workerGone'>): {
	readonly state: ConciergeState;
	readonly abandoned?: Wake;
} {
	const { state, now, workerGone } = input;
	const { inFlight } = state;
	if (inFlight === undefined) return { state };
	const isGone = inFlight.worker !== undefined && workerGone?.(inFlight.worker) === true;
	if (now <= inFlight.deadlineAt && !isGone) return { state };
	const { inFlight: _, ...free } = state;
	if (inFlight.wake.tries < TRIES_MAX) return { state: { ...free, again: inFlight.wake } };
	const failure = { code: 'died', text: 'the process that ran the turn died twice', isPoison: true };
	return { state: failedState(free, inFlight.wake, failure, now, input.settings), abandoned: inFlight.wake };
}
