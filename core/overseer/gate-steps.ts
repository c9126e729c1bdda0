import type { OverseerSettings } from '../../config/overseer.ts';
import type { GateState } from './gate-state.ts';
import { mergeFindings } from './pending.ts';
import type { RoomSnapshot } from './room-store.ts';
import type { PendingDecision } from './trigger.ts';
import type { Finding } from './triggers/finding.ts';

/** Tries of one decision, the first included. */
const MAX_ATTEMPTS = 2;

/** Drops optional parts that are undefined, so that states compare and serialise alike. */
export function withSlots(
	gate: GateState,
	slots: { pending?: PendingDecision | undefined; later?: PendingDecision | undefined },
): GateState {
	const { pending: _pending, later: _later, ...rest } = gate;
	return {
		...rest,
		...(slots.pending ? { pending: slots.pending } : {}),
		...(slots.later ? { later: slots.later } : {}),
	};
}

export function withoutFlight(gate: GateState): GateState {
	const { inFlight: _inFlight, ...rest } = gate;
	return rest;
}

/** Moves both cursors to the end of the snapshot: nothing up to here will ever be decided on. */
export function passOver(gate: GateState, { messages, events }: RoomSnapshot): GateState {
	return {
		...gate,
		messageCursor: messages.reduce((top, { seq }) => Math.max(top, seq), gate.messageCursor),
		eventCursor: events.reduce((top, { seq }) => Math.max(top, seq), gate.eventCursor),
	};
}

/**
 * Echoes of our own calls are passed at once: contexts are remembered for minutes only, and an echo that outlives its
 * context would look like somebody else's doing.
 */
export function passOwnEvents(gate: GateState, { events, ownContexts }: RoomSnapshot, notes: string[]): GateState {
	const own = new Set(ownContexts);
	let eventCursor = gate.eventCursor;
	for (const { seq, contextId } of events) {
		if (seq <= eventCursor) continue;
		if (contextId === undefined || !own.has(contextId)) break;
		eventCursor = seq;
		notes.push('own_event');
	}
	return eventCursor === gate.eventCursor ? gate : { ...gate, eventCursor };
}

/**
 * A decision whose deadline passed, or whose process is gone, has no worker any more. It waits again under its own id, before everything that came
 * since, with what it was shown; after the last attempt it is given up.
 */
export function reviveDead(
	gate: GateState,
	now: number,
	mayRun: boolean,
	notes: string[],
	workerGone = false,
): { gate: GateState; abandoned?: PendingDecision } {
	const { inFlight } = gate;
	if (inFlight === undefined || (!workerGone && now <= inFlight.deadlineAt)) return { gate };
	const freed = withoutFlight(gate);
	notes.push('died');
	if (!mayRun) return { gate: freed };
	const { decision } = inFlight;
	if (decision.attempt >= MAX_ATTEMPTS) {
		notes.push('died_twice');
		return { gate: freed, abandoned: decision };
	}
	return {
		gate: withSlots(freed, { pending: { ...decision, attempt: decision.attempt + 1 }, later: gate.pending }),
	};
}

/** Puts what was found where it can wait. A decision that is run again takes nothing in: what it was shown is fixed. */
export function collect(gate: GateState, findings: readonly Finding[], newId: () => string): GateState {
	const { pending, later } = gate;
	if (pending?.upTo !== undefined) return withSlots(gate, { pending, later: mergeFindings(later, findings, newId) });
	return withSlots(gate, { pending: mergeFindings(pending, findings, newId), later });
}

function isUnasked({ addresses, upTo }: PendingDecision): boolean {
	return addresses.length === 0 && upTo === undefined;
}

/** Forgets what nobody asked for while only people who ask are heard. */
export function dropUnasked(gate: GateState): GateState {
	const keep = (decision: PendingDecision | undefined) => (decision && isUnasked(decision) ? undefined : decision);
	return withSlots(gate, { pending: keep(gate.pending), later: keep(gate.later) });
}

/** Forgets what nobody asked for once it is too old to react to; the talk behind it is passed over. */
export function dropStale(
	gate: GateState,
	snapshot: RoomSnapshot,
	settings: OverseerSettings,
	now: number,
	notes: string[],
): GateState {
	const { pending } = gate;
	if (pending === undefined || !isUnasked(pending) || pending.trigger === 'heartbeat') return gate;
	if (now - (pending.newestAt ?? pending.since) <= settings.decision.staleAfterMs) return gate;
	notes.push('stale_dropped');
	return passOver(withSlots(gate, { later: gate.later }), snapshot);
}
