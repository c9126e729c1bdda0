import { ago } from './age.ts';
import type { Question } from './question.ts';
import { answerText, type Presser } from './settle-question.ts';

/** What a press that came too late is told, in plain words. */
export function lateText(question: Question, presser: Presser, now: number): string {
	const when = ago(question.settledAt ?? now, now);
	if (question.state === 'open') return 'This question is open again: press once more.';
	if (question.state === 'closed')
		return `${question.sessionName} moved on without an answer ${when}. Nothing was sent.`;
	if (question.state === 'lost')
		return `The question was lost ${when}: the process of ${question.sessionName} ended before anybody answered. Nothing was sent.`;
	if (question.answeredBy === undefined)
		return `Already answered in the session itself ${when}. Your answer was not sent.`;
	const who = question.answeredBy.whoId === presser.whoId ? 'You' : question.answeredBy.who;
	return `${who} answered ${when}: ${answerText(question)}. Nothing further was sent.${deliveryText(question)}`;
}

function deliveryText(question: Question): string {
	if (question.delivery === 'pending') return ' It is on its way.';
	return question.delivery === 'failed' ? ' It has not reached the session yet: press "Retry" on the card.' : '';
}
