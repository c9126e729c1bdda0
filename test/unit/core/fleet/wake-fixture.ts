import type { FleetSettings } from '../../../../config/fleet.ts';
import type { ConciergeModel } from '../../../../core/fleet/budget.ts';
import { askConcierge, switchOn } from '../../../../core/fleet/concierge-command.ts';
import { type ConciergeState, FRESH_CONCIERGE, type PendingAsk } from '../../../../core/fleet/concierge-state.ts';
import { finishWake, type WakeOutcome } from '../../../../core/fleet/finish-wake.ts';
import type { FleetFacts } from '../../../../core/fleet/fleet-facts.ts';
import type { FeedFacts } from '../../../../core/fleet/stores.ts';
import { takeWake } from '../../../../core/fleet/take-wake.ts';
import type { WakeInput } from '../../../../core/fleet/wake-input.ts';
import { ALEX, LOCAL, OWN_ID, settingsOf, T0 } from './fixture.ts';

const QUIET: FleetFacts = { active: 0, print: 'quiet' };
export const DONE: WakeOutcome = { kind: 'delivered', usd: 0, fleet: 'quiet' };
export const DEADLINE = 120_000;

/** On since `T0`, with nothing to tell and the greeting behind it. */
export function onAt(at = T0, change: Partial<ConciergeState> = {}): ConciergeState {
	const on = switchOn(FRESH_CONCIERGE, ALEX, 0, at, () => OWN_ID)!.state;
	return { ...on, greet: false, lastDigestAt: at, lastFleet: 'quiet', ...change };
}

export function feedOf(lastSeq: number, foreign: number, firstForeignAt?: number): FeedFacts {
	return { lastSeq, foreign, firstForeignAt };
}

export function inputOf(
	state: ConciergeState,
	now: number,
	change: Partial<WakeInput> & { concierge?: Partial<FleetSettings['concierge']> } = {},
): WakeInput {
	const { concierge, ...rest } = change;
	return {
		state,
		feed: feedOf(0, 0),
		fleet: QUIET,
		settings: settingsOf({ concierge: concierge ?? {} }).concierge,
		timeZone: 'UTC',
		model: LOCAL as ConciergeModel,
		now,
		...rest,
	};
}

let wakes = 0;

/** Takes what is due or fails the test. */
export function take(input: WakeInput, worker?: string) {
	const taken = takeWake(input, DEADLINE, () => `w${(wakes += 1)}`, worker);
	if (taken === undefined) throw new Error('nothing was due');
	return taken;
}

export function finish(state: ConciergeState, outcome: WakeOutcome, now: number, input: WakeInput): ConciergeState {
	const id = state.inFlight?.wake.id ?? 'none';
	const after = finishWake(state, id, outcome, now, input.settings, input.timeZone);
	if (after === undefined) throw new Error('the turn was not ours');
	return after;
}

export function askOf(id: string, at = T0, text = 'what is blocked?'): PendingAsk {
	return { id, at, ...ALEX, text, replyTo: { channelId: 'c1' } };
}

export function askedState(state: ConciergeState, ask: PendingAsk): ConciergeState {
	const result = askConcierge(state, ask);
	if (result.kind !== 'queued') throw new Error(result.kind);
	return result.state;
}

export function failure(code = 'overloaded', isPoison = false): WakeOutcome {
	return { kind: 'failed', usd: 0, code, text: `it was ${code}`, isPoison };
}
