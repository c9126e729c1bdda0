import type { FinalFields } from '../final-fields.ts';
import type { QuestionSet } from '../question.ts';
import { questionSetOf, sortQuestions } from '../questions/question-set.ts';
import type { IntakeReply } from '../reply/intake-reply.ts';
import type { RawQuestion } from '../reply/raw-question.ts';
import { readReply } from '../reply/read-reply.ts';
import { isLastRound } from '../rounds.ts';
import type { AwaitedCall, FollowUpKind } from '../session.ts';
import { speechOf } from '../speech/speech.ts';
import { allWords } from '../vocabulary.ts';
import { endOutage, startCall } from './call.ts';
import { compile } from './compile.ts';
import { markAsked } from './dimension-change.ts';
import { audit, change, type Draft, emit, fail, move } from './draft.ts';
import { addTurn } from './turns.ts';

/** What a model answered to the call that is awaited. */
export function takeReply(draft: Draft, given: { text: string; structured?: unknown }): void {
	const { call } = draft.session;
	if (call === undefined) return;
	endOutage(draft);
	change(draft, { call: undefined });
	const yes = new Set(allWords(draft.settings).flatMap((words) => words.yes.map((word) => word.toLowerCase())));
	const reply = readReply(given, yes);
	if (reply.notes.length > 0) audit(draft, { what: 'reply', note: 'odd_form', detail: reply.notes, at: draft.now });
	// The counter decides, not the label of the call: at the last round nothing is ever asked.
	const isCompiling =
		call.purpose !== 'ask' || draft.session.ending !== undefined || isLastRound(draft.session.roundCount);
	if (isCompiling) takeFinal(draft, call, reply);
	else takeAsked(draft, call, reply);
}

function hasAll(fields: FinalFields): boolean {
	return fields.TASK_SUMMARY !== undefined && fields.PROLOG_FACTS !== undefined;
}

function takeFinal(draft: Draft, call: AwaitedCall, reply: IntakeReply): void {
	const ending = draft.session.ending ?? { trigger: 'forced' as const, cause: 'round_limit' as const, fields: {} };
	const fields = { ...ending.fields, ...reply.fields };
	change(draft, { ending: { ...ending, fields } });
	if (!hasAll(fields) && call.purpose !== 'compile') {
		// Asked once more, in so many words; after that code compiles with what there is.
		startCall(draft, { purpose: 'compile', roundBefore: call.roundBefore, followUp: 'not_final' });
		return;
	}
	compile(draft);
}

function takeAsked(draft: Draft, call: AwaitedCall, reply: IntakeReply): void {
	const isFirst = draft.session.questionSets.length === 0;
	const isComplete = reply.fields.REQUIREMENTS_COMPLETE === true;
	if (isComplete && !isFirst) {
		change(draft, { ending: { trigger: 'complete', cause: 'signal', fields: reply.fields } });
		move(draft, 'FINALIZING', 'signal');
		if (hasAll(reply.fields)) compile(draft);
		else startCall(draft, { purpose: 'finalize', roundBefore: call.roundBefore });
		return;
	}
	if (isComplete) audit(draft, { what: 'reply', note: 'marker_ignored', detail: ['first_call_asks'], at: draft.now });
	askWith(draft, call, reply.questions, isComplete ? 'must_ask' : 'unusable');
}

/** Keeps the questions that break no rule; asks the model once for better ones; then drops, and fills in standing ones. */
function askWith(draft: Draft, call: AwaitedCall, questions: readonly RawQuestion[], ifNone: FollowUpKind): void {
	const context = askContext(draft);
	const { good, offending } = sortQuestions(questions, context);
	const broken = offending.filter(({ rules }) => rules.some((rule) => rule !== 'repeated_now'));
	if (broken.length > 0) {
		const detail = broken.flatMap(({ rules }) => rules);
		audit(draft, { what: 'reply', note: 'lint', detail, at: draft.now });
	}
	if (!draft.session.regenerated && (broken.length > 0 || good.length === 0)) {
		change(draft, { regenerated: true });
		startCall(draft, {
			purpose: 'ask',
			roundBefore: call.roundBefore,
			followUp: questions.length === 0 ? ifNone : 'lint',
			complaints: broken.map(({ question, rules }) => `${rules.join(', ')}: ${question.text}`),
			spare: good,
		});
		return;
	}
	const usable = good.length > 0 ? good : call.spare;
	const formOnly = broken.filter(({ rules }) => rules.every((rule) => rule === 'compound' || rule === 'too_long'));
	const chosen = usable.length > 0 ? usable : formOnly.map(({ question }) => question);
	if (chosen.length === 0) fail(draft, 'E10');
	ask(draft, questionSetOf(chosen, context));
}

function askContext(draft: Draft) {
	const { session, now } = draft;
	return {
		said: speechOf(session)
			.map(({ text }) => text)
			.join('\n'),
		earlier: session.questionSets.flatMap(({ questions }) => questions.map(({ text }) => text)),
		dimensions: session.dimensions,
		language: session.language,
		round: session.roundCount,
		now,
	};
}

/** The questions of the reply before, when a second try for better ones came to nothing; false when there were none. */
export function askSpare(draft: Draft): boolean {
	const spare = draft.session.call?.spare ?? [];
	if (spare.length === 0 || draft.session.state === 'SUSPENDED') return false;
	change(draft, { call: undefined });
	ask(draft, questionSetOf(spare, askContext(draft)));
	return true;
}

/** A set as text, a line a question; this is what the model and a packet see. */
export function questionLines(set: QuestionSet): string {
	return set.questions
		.map(({ dimension, text, options }) => {
			const own = options.map(({ label }) => label).join(' | ');
			return `${dimension}: ${text}${own === '' ? '' : ` [${own}]`}`;
		})
		.join('\n');
}

function ask(draft: Draft, set: QuestionSet): void {
	const { session } = draft;
	change(draft, {
		questionSets: [...session.questionSets, set],
		dimensions: markAsked(session.dimensions, set),
		regenerated: false,
	});
	addTurn(draft, { role: 'assistant', kind: 'questions', parts: [], choices: [], content: questionLines(set) });
	move(draft, 'QUESTIONING', 'questions');
	emit(draft, { kind: 'ask', set });
}
