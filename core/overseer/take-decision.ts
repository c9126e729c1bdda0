import { type GateInput, lookAt, quietReason, switchedOff } from './gate-look.ts';
import type { GateState } from './gate-state.ts';
import { passOver, withSlots } from './gate-steps.ts';
import { mergeFindings } from './pending.ts';
import type { RoomSnapshot } from './room-store.ts';
import type { Address, PendingDecision } from './trigger.ts';
import { findTriggers } from './triggers/rules.ts';

/** The decision that a worker now runs. Commit `gate` before doing anything. */
export interface TakenDecision {
	readonly gate: GateState;
	/** `upTo` is set: show the model lines and events up to there only. */
	readonly decision: PendingDecision & { readonly upTo: NonNullable<PendingDecision['upTo']> };
}

/**
 * Moves the waiting decision into flight and consumes everything up to the end of the snapshot, which is what the model
 * will see; addresses and events that came in since the gate's last look join it. Of several callers only the first is
 * answered now: the decision ends before the next one's line, which the gate then finds as new. Undefined when nothing waits, another
 * one is in flight, or deciding is not allowed any more. `deadlineMs` is the time after which the decision counts as
 * dead; choose it longer than the decision's own deadline plus the time its tools may take. `worker` names the process, so
 * that its death can be noticed before that.
 */
export function takeDecision(input: GateInput, deadlineMs: number, worker?: string): TakenDecision | undefined {
	const { snapshot, now } = input;
	const { gate } = snapshot;
	const { pending } = gate;
	if (pending === undefined || gate.inFlight !== undefined) return undefined;
	if (input.site.paused || switchedOff(input) !== undefined) return undefined;
	const flight = (decision: TakenDecision['decision'], from: GateState): TakenDecision => ({
		gate: {
			...withSlots(from, { pending: gate.later }),
			lastModelAt: now,
			inFlight: { decision, startedAt: now, deadlineAt: now + deadlineMs, ...(worker === undefined ? {} : { worker }) },
		},
		decision,
	});
	if (pending.upTo !== undefined) return flight({ ...pending, upTo: pending.upTo }, gate);
	const look = lookAt(input, gate);
	const isQuiet = quietReason(input) !== undefined;
	const joined = findTriggers(look, input.role).filter(
		({ trigger }) => trigger !== 'heartbeat' && (trigger === 'direct_address' || !isQuiet),
	);
	const merged = mergeFindings(pending, joined, input.newId) ?? pending;
	if (isQuiet && merged.addresses.length === 0) return undefined;
	const end = firstCallEnd(merged.addresses, snapshot);
	const seen = snapshot.messages.filter(({ seq }) => seq <= end);
	const passed = passOver(gate, { ...snapshot, messages: seen });
	const upTo = { messageSeq: passed.messageCursor, eventSeq: passed.eventCursor };
	const later = new Set(snapshot.messages.filter(({ seq }) => seq > end).map(({ id }) => id));
	const addresses = merged.addresses.filter(({ messageId }) => !later.has(messageId));
	return flight({ ...merged, addresses, upTo }, passed);
}

/**
 * Number of the last line before somebody else calls; infinite while one person calls. A model that is called by two at
 * once tends to answer one of them.
 */
function firstCallEnd(addresses: readonly Address[], { messages }: RoomSnapshot): number {
	const callers = new Map(addresses.map(({ messageId, authorId }) => [messageId, authorId]));
	const calls = messages.filter(({ id }) => callers.has(id)).toSorted((a, b) => a.seq - b.seq);
	const first = calls[0] && callers.get(calls[0].id);
	const other = calls.find(({ id }) => callers.get(id) !== first);
	return other === undefined ? Number.POSITIVE_INFINITY : other.seq - 1;
}
