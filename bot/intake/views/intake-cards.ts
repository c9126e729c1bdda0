import type { IntakeSettings } from '../../../config/intake.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import { createTranslate, toLanguage } from '../../catalogue.ts';
import type { View } from '../../views/view.ts';
import { evidenceLink } from '../evidence-link.ts';
import { handoffPreview } from '../handoff-preview.ts';
import { closingCard } from './closing-card.ts';
import { progressCard } from './progress-card.ts';
import { replacedReviewCard, reviewCard, reviewVersion } from './review-card.ts';
import { roundCard } from './round-card.ts';

/** One card of a thread as it should look now. */
export interface WantedCard {
	/** `progress`, `r1` to `r3`, `v1` …, `done`. */
	readonly name: string;
	readonly view: View;
	/** Only brought up to date where it stands already; never posted anew. */
	readonly isOld: boolean;
}

/** Every card that a session has, in the order in which they were posted. `cards`: message ids of those that stand. */
export function intakeCards(
	session: IntakeSession,
	settings: IntakeSettings,
	options: { readonly cards: ReadonlyMap<string, string>; readonly readsEverything: boolean },
): WantedCard[] {
	const t = createTranslate(toLanguage(session.language));
	const isOver = session.state === 'COMPLETE' || session.state === 'CANCELLED';
	const version = reviewVersion(session);
	const packet = handoffPreview(session, settings);
	const isCompiled = packet !== undefined && ['REVIEW', 'HANDOVER', 'COMPLETE'].includes(session.state);
	const older = Array.from({ length: session.recompiled }, (_, index) => `v${index + 1}`);
	return [
		{ name: 'progress', view: progressCard(session, t), isOld: isOver },
		...session.questionSets.map((set) => ({
			name: set.id,
			view: roundCard(session, set, t, options),
			isOld: set.state !== 'open' || isOver,
		})),
		...older.map((name) => ({ name, view: replacedReviewCard(t), isOld: true })),
		...(isCompiled && session.review
			? [
					{
						name: version,
						view: reviewCard(session, packet, evidenceLink(session, options.cards), t),
						isOld: session.state !== 'REVIEW',
					},
				]
			: []),
		...(isOver ? [{ name: 'done', view: closingCard(session, t), isOld: false }] : []),
	];
}

/** Names of all cards that a session may have had, for forgetting them. */
export function cardNames(session: IntakeSession): string[] {
	const versions = Array.from({ length: session.recompiled + 1 }, (_, index) => `v${index + 1}`);
	return ['progress', ...session.questionSets.map(({ id }) => id), ...versions, 'done'];
}
