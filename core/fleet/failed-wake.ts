import type { ConciergeSettings } from '../../config/fleet.ts';
import { oneLine } from '../chat/sanitise.ts';
import type { ModelError } from '../model/model-port.ts';
import type { ConciergeState, Wake } from './concierge-state.ts';

export interface WakeFailure {
	/** Code of the model's error, or `refusal`, `empty`, `truncated`, `invalid`, `died`. */
	readonly code: string;
	readonly text: string;
	/** The wait that the provider asked for. */
	readonly retryAfterMs?: number;
	/** It comes from what was sent rather than from the provider's state, so the same digest would fail again. */
	readonly isPoison: boolean;
}

/** A failed call of the model as the failure of a turn. Only what lies in the request itself would fail the same way again. */
export function failureOf(error: ModelError): WakeFailure {
	const isPoison = error.code === 'truncated' || (error.code === 'invalid' && !error.transient);
	return {
		code: error.code,
		text: error.hint,
		isPoison,
		...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
	};
}

/** Failures in a row after which people are told by code. */
const FAILURES_BEFORE_NOTICE = 3;
const LONGEST_BACKOFF_MS = 900_000;

/**
 * A digest that did not get through: the cursor stays, the next try waits, longer each time from the third on. The third
 * failure in a row owes people one plain notice with the deterministic digest. A question that failed is no sign against
 * digests and only recorded.
 */
export function failedState(
	state: ConciergeState,
	wake: Wake,
	failure: WakeFailure,
	now: number,
	settings: Pick<ConciergeSettings, 'retryMs'>,
): ConciergeState {
	const lastError = { at: now, code: failure.code, text: oneLine(failure.text, 200) };
	if (wake.why === 'question') return { ...state, lastError };
	const failures = state.failures + 1;
	const growth = 2 ** Math.max(0, Math.min(failures - FAILURES_BEFORE_NOTICE, 10));
	const wait = Math.max(Math.min(settings.retryMs * growth, LONGEST_BACKOFF_MS), failure.retryAfterMs ?? 0);
	const owes = failures >= FAILURES_BEFORE_NOTICE && !state.noticed && state.notice === undefined;
	const upTo = failure.isPoison ? (wake.upTo ?? state.cursor) : state.cursor;
	return {
		...state,
		failures,
		lastError,
		retryAt: now + wait,
		retryFor: 'backoff',
		...(owes ? { notice: { id: wake.id, upTo, at: now, code: failure.code } } : {}),
	};
}

/**
 * The notice was posted. Where the digest itself was the trouble, people have it now, and the cursor passes it: the only
 * way on for a text that no model will take.
 */
export function noticePosted(state: ConciergeState, id: string): ConciergeState {
	if (state.notice?.id !== id) return state;
	const { notice, ...rest } = state;
	return { ...rest, noticed: true, cursor: Math.max(state.cursor, notice.upTo) };
}
