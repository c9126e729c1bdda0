import type { Question } from '../../../core/fleet/question.ts';
import { answerText, type Presser } from '../../../core/fleet/settle-question.ts';
import type { Translate } from '../../catalogue.ts';
import { inline } from '../../views/view.ts';
import { stamp } from '../plain-text.ts';

/** What a press that came too late is told: what happened instead, and that nothing of theirs was sent. */
export function lateWords(question: Question, presser: Presser, t: Translate): string {
	const vars = {
		name: inline(question.sessionName, 80),
		when: stamp(question.settledAt ?? question.openedAt),
		answer: inline(answerText(question), 600),
		who: inline(question.answeredBy?.who ?? '', 60),
	};
	if (question.state !== 'answered') return t(`fleet.card.late.${question.state}`, vars);
	if (question.answeredBy === undefined) return t('fleet.card.late.there', vars);
	const isYours = question.answeredBy.whoId === presser.whoId;
	const told = t(isYours ? 'fleet.card.late.you' : 'fleet.card.late.answered', vars);
	const { delivery } = question;
	return delivery === 'pending' || delivery === 'failed' ? `${told} ${t(`fleet.card.late.${delivery}`)}` : told;
}
