import { cutText, visible } from '../chat/sanitise.ts';
import { type Question, type QuestionChoice, questionId } from './question.ts';
import type { ReportedQuestion } from './report.ts';
import type { FleetSession } from './session.ts';

const TEXT_MAX = 3_000;
const CONTEXT_MAX = 6_000;
const LABEL_MAX = 400;
const PERMISSION: readonly QuestionChoice[] = [
	{ label: 'Allow', value: 'allow' },
	{ label: 'Deny', value: 'deny' },
];

/**
 * A question of a session as it is first stored. A permission without choices gets allow and deny; a question that offers
 * nothing to choose takes words.
 */
export function askQuestion(
	session: Pick<FleetSession, 'id' | 'name'>,
	asked: ReportedQuestion,
	order: number,
	now: number,
): Question {
	const given = asked.choices.map((choice): QuestionChoice => {
		const label = bounded(choice.label, LABEL_MAX);
		const description = choice.description === undefined ? undefined : bounded(choice.description, LABEL_MAX);
		// The value goes back to the agent as it came; only what people read is cut.
		return { label, value: choice.value ?? choice.label, ...(description === undefined ? {} : { description }) };
	});
	const choices = asked.kind === 'permission' && given.length === 0 ? [...PERMISSION] : given;
	return {
		id: questionId(session.id, asked.ref),
		sessionId: session.id,
		sessionName: session.name,
		ref: asked.ref,
		kind: asked.kind === 'choice' && choices.length === 0 ? 'text' : asked.kind,
		text: bounded(asked.text, TEXT_MAX),
		...(asked.context === undefined ? {} : { context: bounded(asked.context, CONTEXT_MAX) }),
		choices: asked.kind === 'text' ? [] : choices,
		multi: asked.multi && choices.length > 1,
		freeText: asked.freeText || asked.kind === 'text' || choices.length === 0,
		openedAt: now,
		order,
		state: 'open',
		delivery: 'none',
		deliveryTries: 0,
		reminders: 0,
		revision: 1,
	};
}

function bounded(text: string, max: number): string {
	return cutText(visible(text), max);
}

/** A question whose loss or closing was an error: its agent says that it is still open. */
export function reopenQuestion(question: Question, order: number, now: number): Question {
	const { settledAt: _, answeredBy: __, answer: ___, deliveryError: ____, ...rest } = question;
	return {
		...rest,
		state: 'open',
		delivery: 'none',
		deliveryTries: 0,
		openedAt: now,
		order,
		revision: question.revision + 1,
	};
}
