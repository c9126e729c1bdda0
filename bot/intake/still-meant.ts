import type { IntakeSession } from '../../core/intake/session.ts';
import type { IntakeCustomId } from './custom-id.ts';
import { reviewVersion } from './views/review-card.ts';

/** The requester and those they let in. */
export function mayAct({ requesterId, coOwnerIds }: IntakeSession, personId: string): boolean {
	return personId === requesterId || coOwnerIds.includes(personId);
}

/**
 * Whether a button still means what it says: its round is the open one, its review the current one. Buttons of old cards
 * stay pressable on Discord for years.
 */
export function isStillMeant(
	session: IntakeSession,
	{ action, detail }: Pick<IntakeCustomId, 'action' | 'detail'>,
): boolean {
	const isOver = session.state === 'COMPLETE' || session.state === 'CANCELLED';
	if (isOver) return false;
	const open = session.questionSets.at(-1);
	const isOpenRound = open?.id === detail && open.state === 'open' && session.state === 'QUESTIONING';
	const isOpenReview = session.state === 'REVIEW' && detail === reviewVersion(session);
	switch (action) {
		case 'answer':
		case 'skip':
			return isOpenRound;
		case 'finish':
			// Also while the assistant is away: then it is compiled without it.
			return open?.id === detail && (session.state === 'QUESTIONING' || session.state === 'SUSPENDED');
		case 'send':
			return isOpenRound || isOpenReview;
		case 'lock':
		case 'discard':
		case 'discard-sure':
			return isOpenReview;
		default:
			return true;
	}
}
