import { idleAt } from '../wake.ts';
import { callFailed, retryCall } from './call.ts';
import { change, type Draft } from './draft.ts';
import { lock } from './handover.ts';
import { cancel } from './pauses.ts';
import { askSpare } from './reply.ts';
import { sendPending } from './say.ts';

/** Does what is due. Late and doubled ticks do no more than one in time. */
export function tick(draft: Draft): void {
	const { session, settings, now } = draft;
	const { state, pending, call, suspension, autoLockAt, finalization } = session;
	const idle = idleAt(session, settings);
	const isLocked = suspension !== undefined && suspension.reason !== 'assistant_unavailable';
	if (idle !== undefined && now >= idle) cancel(draft, 'expired');
	else if (!isLocked && call !== undefined && now >= call.deadlineAt) {
		// Whoever made the call has died: nobody else will tell.
		if (!askSpare(draft)) callFailed(draft, { reason: 'worker', transient: true });
	} else if (!isLocked && call === undefined && suspension?.retryAt !== undefined && now >= suspension.retryAt)
		retryCall(draft);
	else if (pending?.quietUntil !== undefined && now >= pending.quietUntil && sendPending(draft)) return;
	else if (state === 'REVIEW' && autoLockAt !== undefined && now >= autoLockAt && finalization !== undefined) {
		change(draft, { finalization: { ...finalization, trigger: 'forced', cause: 'auto_lock' } });
		lock(draft, 'auto_lock');
	}
}
