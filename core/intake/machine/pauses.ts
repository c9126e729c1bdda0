import type { EventOf } from '../event.ts';
import type { IntakeSession } from '../session.ts';
import { retryCall } from './call.ts';
import { change, type Draft, emit, move, notice } from './draft.ts';
import { takeReply } from './reply.ts';

/** The thread cannot be written to: everything stays as it is until it can. */
export function suspend(draft: Draft, event: EventOf<'suspend'>): void {
	const { session, now } = draft;
	const earlier = session.suspension;
	// A packet that is being handed over needs no thread.
	if (session.state === 'HANDOVER') return;
	if (earlier !== undefined && earlier.reason !== 'assistant_unavailable') return;
	change(draft, {
		autoLockAt: undefined,
		suspension: {
			...(earlier ?? { tries: 0 }),
			from: earlier?.from ?? session.state,
			since: earlier?.since ?? now,
			reason: event.reason,
			retryAt: undefined,
		},
	});
	if (session.state !== 'SUSPENDED') move(draft, 'SUSPENDED', event.reason);
}

/** Goes on where it stopped: with the reply that came meanwhile, or with the call that was interrupted. */
export function resume(draft: Draft): void {
	const { session, settings, now } = draft;
	const { suspension, heldReply, pending } = session;
	if (suspension === undefined) return;
	if (suspension.purpose !== undefined) {
		// An outage, perhaps inside a locked thread: only a reply ends it.
		change(draft, { suspension: { ...suspension, reason: 'assistant_unavailable', retryAt: now } });
		retryCall(draft);
		return;
	}
	change(draft, { suspension: undefined, heldReply: undefined });
	if (pending !== undefined) change(draft, { pending: { ...pending, quietUntil: now + settings.quietMs } });
	move(draft, suspension.from, 'resume');
	if (suspension.from === 'REVIEW' && session.verdict === undefined)
		change(draft, { autoLockAt: now + settings.reviewTimeoutMs });
	notice(draft, 'resumed');
	if (heldReply !== undefined && heldReply.callId === draft.session.call?.id) takeReply(draft, heldReply);
}

export function isTerminal({ state }: Pick<IntakeSession, 'state'>): boolean {
	return state === 'COMPLETE' || state === 'CANCELLED';
}

/** Ends it without a packet; impossible once the packet is on its way. */
export function cancel(draft: Draft, reason: EventOf<'cancel'>['reason']): void {
	if (draft.session.delivery !== undefined) {
		notice(draft, 'nothing_to_do');
		return;
	}
	change(draft, {
		call: undefined,
		pending: undefined,
		suspension: undefined,
		heldReply: undefined,
		autoLockAt: undefined,
		cancelReason: reason,
	});
	move(draft, 'CANCELLED', reason);
	emit(draft, { kind: 'done', state: 'CANCELLED' });
}
