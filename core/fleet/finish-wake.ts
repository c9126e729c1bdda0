import type { ConciergeSettings } from '../../config/fleet.ts';
import { withSpent } from './budget.ts';
import type { ConciergeState } from './concierge-state.ts';
import { failedState, type WakeFailure } from './failed-wake.ts';

/** What came of a turn. `usd` is what all its attempts cost, failed ones included. */
export type WakeOutcome =
	/** The model took it; `fleet` is the print of the fleet that it was shown. */
	| {
			readonly kind: 'delivered';
			readonly usd: number;
			readonly fleet: string;
			/** It was told and acted, and then something failed: shown, not repeated. */
			readonly trouble?: { readonly code: string; readonly text: string };
	  }
	| ({ readonly kind: 'failed'; readonly usd: number } & WakeFailure)
	/** Not sent: the rest of the day's budget does not cover it. */
	| { readonly kind: 'unaffordable'; readonly estimateUsd: number }
	/** Not sent for a reason that has nothing to do with it, such as a shutdown. */
	| { readonly kind: 'given_back' };

/**
 * Ends the turn in flight. The cursor moves exactly here, and only for a digest that was delivered. Undefined when the turn
 * is not ours any more: somebody took it over, and its result must not count twice.
 */
export function finishWake(
	state: ConciergeState,
	wakeId: string,
	outcome: WakeOutcome,
	now: number,
	settings: ConciergeSettings,
	timeZone: string,
): ConciergeState | undefined {
	const wake = state.inFlight?.wake;
	if (wake?.id !== wakeId) return undefined;
	const { inFlight, ...free } = state;
	// Also when nothing was spent: what follows may note a need of this day.
	const spend = withSpent(state.spend, 'usd' in outcome ? outcome.usd : 0, now, timeZone);
	const spent: ConciergeState = { ...free, spend };
	switch (outcome.kind) {
		case 'failed':
			return failedState(spent, wake, outcome, now, settings);
		case 'unaffordable':
			return {
				...spent,
				wakes: state.wakes.filter((at) => at !== inFlight?.startedAt),
				spend: { ...spend, neededUsd: outcome.estimateUsd },
			};
		case 'given_back':
			return { ...spent, again: { ...wake, tries: wake.tries - 1 } };
		case 'delivered': {
			// It answers again, so what was waiting for it to recover need not wait longer.
			const retryAt = spent.retryFor === 'cap' ? spent.retryAt : 0;
			if (wake.why === 'question') {
				return {
					...spent,
					retryAt,
					...(outcome.trouble === undefined ? {} : { lastError: { at: now, ...outcome.trouble } }),
				};
			}
			// A notice still owed is void: the delivered digest tells it all.
			const { retryFor: _, lastError: __, notice: ___, ...well } = spent;
			return {
				...well,
				retryAt: 0,
				failures: 0,
				noticed: false,
				// Switched off and on meanwhile: the new start has not been told of the fleet yet.
				greet: state.greet && (inFlight?.startedAt ?? 0) < (state.onSince ?? 0),
				cursor: Math.max(state.cursor, wake.upTo ?? 0),
				lastDigestAt: now,
				lastFleet: outcome.fleet,
				...(outcome.trouble === undefined ? {} : { lastError: { at: now, ...outcome.trouble } }),
			};
		}
	}
}
