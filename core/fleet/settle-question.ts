import { oneLine } from '../chat/sanitise.ts';
import type { FeedCause, FeedDraft } from './feed-event.ts';
import type { Question, QuestionAnswer } from './question.ts';
import { quoted } from './quote.ts';
import type { DeliveryResult } from './session-control.ts';

export interface Presser {
	/** Discord id and shown name. */
	readonly whoId: string;
	readonly who: string;
}

export type AnswerTaken =
	/** Save both in one step; then deliver. If the save fails, read and answer again: the second of two presses is late. */
	| { readonly kind: 'taken'; readonly question: Question; readonly events: readonly FeedDraft[] }
	/** Somebody or something was faster: the question says what happened. */
	| { readonly kind: 'late'; readonly question: Question }
	/** Not a legal answer to this question. */
	| { readonly kind: 'invalid'; readonly why: string };

const ANSWER_TEXT_MAX = 4_000;

/** A person answers. The first one counts; nothing is ever answered by time, silence or a program. */
export function answerQuestion(question: Question, given: QuestionAnswer, by: Presser, now: number): AnswerTaken {
	if (question.state !== 'open') return { kind: 'late', question };
	const text = given.text?.trim();
	const why = answerFault(question, given.values, text);
	if (why !== undefined) return { kind: 'invalid', why };
	const answer: QuestionAnswer = {
		values: given.values,
		...(text === undefined || text === '' ? {} : { text }),
	};
	const answered: Question = {
		...question,
		state: 'answered',
		settledAt: now,
		answeredBy: { who: by.who, whoId: by.whoId },
		answer,
		delivery: 'pending',
		deliveryTries: 1,
		revision: question.revision + 1,
	};
	const cause: FeedCause = { role: 'person', ...by };
	return { kind: 'taken', question: answered, events: [event(answered, 'answered', cause, now, answerText(answered))] };
}

function answerFault(question: Question, values: readonly string[], text: string | undefined): string | undefined {
	const hasText = text !== undefined && text !== '';
	if (values.length === 0 && !hasText) return 'The answer is empty.';
	if (hasText && !question.freeText) return 'This question takes one of its choices only.';
	if (hasText && text.length > ANSWER_TEXT_MAX) return `An answer has ${ANSWER_TEXT_MAX} characters at most.`;
	if (new Set(values).size !== values.length) return 'A choice was given twice.';
	if (values.length > 1 && !question.multi) return 'Only one choice can be taken.';
	const known = new Set(question.choices.map(({ value }) => value));
	return values.every((value) => known.has(value)) ? undefined : 'That is none of its choices.';
}

/** A person's words as an answer: a choice where they are exactly its label, value or number; own words otherwise. */
export function answerFromWords(question: Question, words: string): QuestionAnswer {
	const key = oneLine(words, ANSWER_TEXT_MAX).toLowerCase();
	const fits = (text: string) => oneLine(text, ANSWER_TEXT_MAX).toLowerCase() === key;
	const byWord = question.choices.find(({ label, value }) => fits(label) || fits(value));
	const byNumber = /^\d{1,3}[.)]?$/.test(key) ? question.choices[Number.parseInt(key, 10) - 1] : undefined;
	const choice = byWord ?? byNumber;
	return choice === undefined ? { values: [], text: words } : { values: [choice.value] };
}

/** What was answered, in the words of the choices. */
export function answerText(question: Question): string {
	const { answer } = question;
	if (answer === undefined) return 'answered at the session itself';
	const labels = answer.values.map(
		(value) => question.choices.find((choice) => choice.value === value)?.label ?? value,
	);
	return [
		...labels.map((label) => quoted(label, 120)),
		...(answer.text === undefined ? [] : [quoted(answer.text, 400)]),
	].join(', ');
}

/**
 * The session went on: `answered` at its own terminal, `closed` without an answer, or `lost` with its process. For one that a
 * person answered here, this is the proof that the answer arrived, unless the process was lost before. Undefined when
 * there is nothing to change.
 */
export function closeQuestion(
	question: Question,
	how: 'answered' | 'closed' | 'lost',
	now: number,
): Question | undefined {
	const revision = question.revision + 1;
	if (question.state === 'open') return { ...question, state: how, settledAt: now, revision };
	if (question.state !== 'answered' || (question.delivery !== 'pending' && question.delivery !== 'failed'))
		return undefined;
	if (how !== 'lost') return delivered(question, revision);
	if (question.delivery === 'failed') return undefined;
	return { ...question, delivery: 'failed', deliveryError: 'the session ended before the answer reached it', revision };
}

/** What the way into the session gave for an answer; undefined when it changes nothing. */
export function deliveryDone(question: Question, result: DeliveryResult): Question | undefined {
	if (question.state !== 'answered' || question.delivery !== 'pending' || result.kind === 'queued') return undefined;
	const revision = question.revision + 1;
	if (result.kind === 'delivered') return delivered(question, revision);
	return { ...question, delivery: 'failed', deliveryError: result.why, revision };
}

/** A person presses "retry"; undefined when there is nothing to retry. */
export function retryDelivery(question: Question): Question | undefined {
	if (question.state !== 'answered' || question.delivery !== 'failed') return undefined;
	const { deliveryError: _, ...rest } = question;
	return { ...rest, delivery: 'pending', deliveryTries: question.deliveryTries + 1, revision: question.revision + 1 };
}

/** The retry in the feed, with who wanted it. */
export function retriedEvent(question: Question, by: Presser, now: number): FeedDraft {
	return event(question, 'answered', { role: 'person', ...by }, now, `${answerText(question)}, sent once more`);
}

function delivered(question: Question, revision: number): Question {
	const { deliveryError: _, ...rest } = question;
	return { ...rest, delivery: 'delivered', revision };
}

function event(question: Question, kind: 'answered', cause: FeedCause, at: number, text: string): FeedDraft {
	return {
		at,
		kind,
		sessionId: question.sessionId,
		sessionName: question.sessionName,
		cause,
		text,
		data: { questionId: question.id },
	};
}
