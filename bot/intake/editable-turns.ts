import type { IntakeSession } from '../../core/intake/session.ts';
import type { Turn } from '../../core/intake/turn.ts';

/** Answers that may be given anew, oldest first. The wish itself never changes. */
export function editableTurns(session: IntakeSession): readonly Turn[] {
	return session.history.filter(({ role, kind }) => role === 'user' && kind !== 'intent');
}

/** Whether answers can be changed now: until the result is locked, and not while it is compiled. */
export function isEditable({ state }: Pick<IntakeSession, 'state'>): boolean {
	return state === 'QUESTIONING' || state === 'RESPONSE_RECEIVED' || state === 'REVIEW';
}
