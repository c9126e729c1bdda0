import type { IntakeSettings } from '../../config/intake.ts';
import type { IntakeSession } from './session.ts';

/** Epoch ms at which a session that nobody touches is closed. */
export function idleAt(session: IntakeSession, settings: IntakeSettings): number | undefined {
	const isWaiting = ['IDLE', 'QUESTIONING', 'SUSPENDED', 'REVIEW'].includes(session.state);
	return isWaiting ? session.updatedAt + settings.retention.idleMs : undefined;
}

/** When the session wants its next `tick`; undefined when time alone changes nothing. */
export function wakeAt(session: IntakeSession, settings: IntakeSettings): number | undefined {
	const { state, pending, call, suspension, autoLockAt } = session;
	const isTurn = state === 'QUESTIONING' || state === 'REVIEW';
	const isLocked = suspension !== undefined && suspension.reason !== 'assistant_unavailable';
	const times = [
		isTurn ? pending?.quietUntil : undefined,
		isLocked ? undefined : call?.deadlineAt,
		isLocked || call !== undefined ? undefined : suspension?.retryAt,
		state === 'REVIEW' ? autoLockAt : undefined,
		idleAt(session, settings),
	].filter((at) => at !== undefined);
	return times.length === 0 ? undefined : Math.min(...times);
}
