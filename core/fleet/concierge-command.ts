import { type ConciergeState, FRESH_CONCIERGE, type PendingAsk } from './concierge-state.ts';
import type { FeedDraft } from './feed-event.ts';
import type { Presser } from './settle-question.ts';

/** What a command comes to. Commit the state, then append the events. */
export interface Switched {
	readonly state: ConciergeState;
	readonly events: readonly FeedDraft[];
	/** Questions that will not be answered any more; their askers are told. */
	readonly unanswered: readonly PendingAsk[];
}

/**
 * Switches it on: told of the fleet as it stands at once; what happened while it was off is not its concern. The same one
 * again: id and memory stay. Undefined when it is on already. `feedEnd` is the number of the newest event.
 */
export function switchOn(
	state: ConciergeState,
	by: Presser,
	feedEnd: number,
	now: number,
	newId: () => string,
): Switched | undefined {
	if (state.on) return undefined;
	const { hold: _, again: __, notice: ___, lastError: ____, retryFor: _____, offSince: ______, ...rest } = state;
	return {
		state: {
			...rest,
			id: state.id === '' ? newId() : state.id,
			on: true,
			onSince: now,
			greet: true,
			cursor: feedEnd,
			failures: 0,
			noticed: false,
			retryAt: 0,
		},
		events: [switchEvent('on', by, now)],
		unanswered: [],
	};
}

/** Switches it off; memory, spending and the hour's count stay. Undefined when it is off already. */
export function switchOff(state: ConciergeState, by: Presser, now: number): Switched | undefined {
	if (!state.on) return undefined;
	const { hold: _, again, notice: __, onSince: ___, ...rest } = state;
	const left = again?.ask === undefined ? state.asks : [again.ask, ...state.asks];
	return {
		state: { ...rest, on: false, offSince: now, greet: false, asks: [] },
		events: [switchEvent('off', by, now)],
		unanswered: left,
	};
}

/** Removes it: off, and the next one is another, with an empty memory. The day's spending and the hour's count stay. */
export function removeConcierge(state: ConciergeState, by: Presser, now: number): Switched {
	const off = switchOff(state, by, now);
	return {
		state: {
			...FRESH_CONCIERGE,
			wakes: state.wakes,
			spend: state.spend,
			offSince: now,
			...(state.calls === undefined ? {} : { calls: state.calls }),
		},
		events: off?.events ?? [],
		unanswered: off?.unanswered ?? [],
	};
}

function switchEvent(kind: 'on' | 'off', by: Presser, at: number): FeedDraft {
	return { at, kind, cause: { role: 'person', ...by }, text: `concierge switched ${kind}` };
}

export type AskResult =
	| { readonly kind: 'queued'; readonly state: ConciergeState; readonly ahead: number }
	/** Known already: a redelivered message. */
	| { readonly kind: 'duplicate' }
	/** Say so, and offer the plain list. */
	| { readonly kind: 'off' }
	| { readonly kind: 'full' }
	| { readonly kind: 'empty' };

const ASKS_MAX = 20;
const ASK_MAX_CHARS = 2_000;

/** A person asks. */
export function askConcierge(state: ConciergeState, ask: PendingAsk): AskResult {
	const text = ask.text.trim();
	if (text === '') return { kind: 'empty' };
	if (!state.on) return { kind: 'off' };
	const running = state.inFlight?.wake.ask?.id ?? state.again?.ask?.id;
	if (running === ask.id || state.asks.some(({ id }) => id === ask.id)) return { kind: 'duplicate' };
	if (state.asks.length >= ASKS_MAX) return { kind: 'full' };
	const bounded = { ...ask, text: Array.from(text).slice(0, ASK_MAX_CHARS).join('') };
	const ahead = state.asks.length + (state.inFlight === undefined ? 0 : 1);
	return { kind: 'queued', state: { ...state, asks: [...state.asks, bounded] }, ahead };
}

/** Words after `?` at the start of a message; undefined for a message that is no question to the concierge. */
export function questionIn(text: string): string | undefined {
	const words = /^\s*\?\s*(\S[\s\S]*)$/.exec(text)?.[1]?.trim();
	return words === undefined || /^[?!\s]*$/.test(words) ? undefined : words;
}
