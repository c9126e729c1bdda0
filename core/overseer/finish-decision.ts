import type { OverseerSettings } from '../../config/overseer.ts';
import type { GateState } from './gate-state.ts';
import { withoutFlight, withSlots } from './gate-steps.ts';

/** `ok`: the model answered, whatever it said; `model_failed`: it did not; `dropped`: it was never asked. */
export type DecisionEnd = 'ok' | 'model_failed' | 'dropped';

/**
 * Ends a decision: the next one may start. A failed model call makes everything that nobody addressed wait, 5 s at first
 * and twice as long each time. Undefined when the decision is not ours to end any more (given up, or ended before).
 * `jitter` is uniform in [0, 1); `retryAfterMs` is a wait that the provider asked for. Look at the room right after.
 */
export function finishDecision(
	gate: GateState,
	decisionId: string,
	result: DecisionEnd,
	now: number,
	settings: OverseerSettings,
	jitter: number,
	retryAfterMs = 0,
): GateState | undefined {
	const freed = free(gate, decisionId);
	if (freed === undefined || result === 'dropped') return freed;
	if (result === 'ok') return { ...freed, lastModelAt: now, failures: 0, backoffUntil: 0 };
	const failures = gate.failures + 1;
	const waitMs = Math.max(backoffMs(failures, settings.backoff, jitter), retryAfterMs);
	return { ...freed, lastModelAt: now, failures, backoffUntil: now + waitMs };
}

/**
 * Gives up the run but not the decision: it counts as dead at once and is run again under the same id. Undefined when it is
 * not ours any more.
 */
export function releaseDecision(gate: GateState, decisionId: string, now: number): GateState | undefined {
	if (gate.inFlight?.decision.id !== decisionId) return undefined;
	return { ...gate, inFlight: { ...gate.inFlight, deadlineAt: now - 1 } };
}

/**
 * An admin paused everything before the model had answered: what somebody asked for waits, as it was shown, and is run as if
 * for the first time. What nobody asked for is let go. Undefined when it is not ours any more.
 */
export function putBackDecision(gate: GateState, decisionId: string): GateState | undefined {
	if (gate.inFlight?.decision.id !== decisionId) return undefined;
	const { decision } = gate.inFlight;
	const freed = withoutFlight(gate);
	return decision.addresses.length === 0 ? freed : withSlots(freed, { pending: decision, later: gate.pending });
}

/** A slow worker may end after it was taken for dead; then its second run is not needed. */
function free(gate: GateState, decisionId: string): GateState | undefined {
	if (gate.inFlight?.decision.id === decisionId) return withoutFlight(gate);
	if (gate.pending?.id === decisionId && gate.pending.upTo !== undefined) {
		return withSlots(gate, { pending: gate.later });
	}
	return undefined;
}

/** Doubles with every failure in a row, spread by a fifth to both sides, never above the maximum. */
function backoffMs(failures: number, limits: { firstMs: number; maxMs: number }, jitter: number): number {
	const doubled = limits.firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30);
	return Math.round(Math.min(limits.maxMs, Math.min(doubled, limits.maxMs) * (0.8 + 0.4 * jitter)));
}
