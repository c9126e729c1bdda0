import { createHash } from 'node:crypto';
import { failureId } from '../../../core/fleet/needs.ts';
import type { Question } from '../../../core/fleet/question.ts';
import type { CardRecord } from '../../../core/fleet/records.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import type { Translate } from '../../catalogue.ts';
import type { View } from '../../views/view.ts';
import { failureCard } from './failure-card.ts';
import { questionCard } from './question-card.ts';

/** What a card is about, as it is now; undefined where that is not stored any more. */
export type CardSubject =
	| { readonly kind: 'question'; readonly question: Question; readonly session: FleetSession | undefined }
	| {
			readonly kind: 'failed';
			readonly session: FleetSession;
			/** Why it failed. */
			readonly reason: string | undefined;
			readonly settled: CardRecord['settled'];
	  };

/** What is posted above a card; it stays as it was posted. */
export interface CardTop {
	readonly mentions: readonly string[];
	readonly headline: string | undefined;
}

/** How a card looks, with everything needed to tell whether it must be written again. */
export interface CardFace {
	readonly view: View;
	/** Who is named above it; an edit keeps that and calls nobody again. */
	readonly mentions: readonly string[];
	readonly revision: number;
	/** Of all that can change. */
	readonly hash: string;
	/** It waits for somebody. */
	readonly isOpen: boolean;
	/** It will not change again by itself. */
	readonly isFinal: boolean;
}

export function cardFace(needId: string, subject: CardSubject, top: CardTop, t: Translate): CardFace {
	const { mentions } = top;
	if (subject.kind === 'question') {
		const { question, session } = subject;
		const view = questionCard({ question, muted: session?.muted === true, ...top, t });
		const isOpen = question.state === 'open';
		const isUnderWay = question.delivery === 'pending' || question.delivery === 'failed';
		return { view, mentions, revision: question.revision, hash: hashOf(view), isOpen, isFinal: !isOpen && !isUnderWay };
	}
	const isOpen = subject.settled === undefined;
	const view = failureCard({ needId, ...subject, ...top, t });
	return { view, mentions, revision: isOpen ? 0 : 1, hash: hashOf(view), isOpen, isFinal: !isOpen };
}

/** How a failure stands: the same run, unless the session went on. */
export function isSameFailure(needId: string, session: FleetSession): boolean {
	return session.state === 'failed' && failureId(session) === needId;
}

/** An open card must look exactly right; one that is over keeps the look of the version that closed it. */
export function isStaleCard(record: CardRecord, face: CardFace): boolean {
	return record.shownRevision !== face.revision || (face.isOpen && record.shownHash !== face.hash);
}

function hashOf({ embeds, components }: View): string {
	return createHash('sha256').update(JSON.stringify({ embeds, components })).digest('hex').slice(0, 16);
}
