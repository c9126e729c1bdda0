import type { ConciergeState, Wake } from './concierge-state.ts';
import { decideWake } from './wake.ts';
import type { WakeInput } from './wake-input.ts';

/** The turn that a worker now runs. Commit `state` before doing anything. */
export interface TakenWake {
	readonly state: ConciergeState;
	readonly wake: Wake;
}

/**
 * Looks once more and moves what is due into flight; undefined when nothing is (another worker was faster, it was switched
 * off, somebody else's turn runs). A digest ends with the newest event of now: what happens from here on is the next one.
 * `deadlineMs` is the time after which the turn counts as dead: longer than the model's own deadline.
 */
export function takeWake(
	input: WakeInput,
	deadlineMs: number,
	newId: () => string,
	worker?: string,
): TakenWake | undefined {
	const { state, wake } = decideWake(input);
	if (wake === undefined) return undefined;
	const { now } = input;
	const { again, ...rest } = state;
	const taken: Wake = { ...wake, id: wake.id ?? newId(), tries: wake.tries + 1 };
	const isFirst = taken.tries === 1;
	return {
		state: {
			...rest,
			...(again === undefined || again.id === taken.id ? {} : { again }),
			asks: taken.ask === undefined ? state.asks : state.asks.filter(({ id }) => id !== taken.ask?.id),
			// A question of a person is not counted: the cap is for what wakes by itself.
			wakes: isFirst && taken.why !== 'question' ? [...state.wakes, now] : state.wakes,
			inFlight: {
				wake: taken,
				startedAt: now,
				deadlineAt: now + deadlineMs,
				...(worker === undefined ? {} : { worker }),
			},
		},
		wake: taken,
	};
}
