import { DIMENSIONS, type Dimension } from '../dimension.ts';
import { LATER, OTHER, type Question } from '../question.ts';
import { isSameQuestion } from '../questions/likeness.ts';
import { type LintRule, lintQuestion } from '../questions/lint-question.ts';
import type { IntakeSession } from '../session.ts';
import { wordsOf } from '../speech/words.ts';
import { median, type Share, shareOf } from './share.ts';

export interface QuestionMeasures {
	/** Questions that push nobody; the rules broken are counted beside. */
	readonly neutral: Share;
	/** Questions of good form: one thing, short, with a question mark. */
	readonly wellFormed: Share;
	readonly rules: Readonly<Record<string, number>>;
	/** Questions that repeat an earlier one. */
	readonly duplicates: Share;
	/** Choices of very unequal length: the long one looks like the answer. */
	readonly unbalancedOptions: number;
	readonly perRound: readonly number[];
	readonly total: number;
	readonly wordsToRead: number;
	readonly medianAnswerMs: number | undefined;
	readonly skipped: Share;
	readonly edits: number;
	/** Dimensions answered or put off, of seven. */
	readonly coverage: Share;
	/** Round in which each dimension was first asked about. */
	readonly firstAsked: Readonly<Partial<Record<Dimension, number>>>;
	/** Facts by answered question; undefined when none was answered. */
	readonly factsPerAnswer: number | undefined;
	/** Answered questions whose round gave no fact. */
	readonly wasted: number;
}

const FORM: ReadonlySet<LintRule> = new Set(['compound', 'too_long', 'no_question']);
const REPEATS: ReadonlySet<LintRule> = new Set(['repeated', 'repeated_now']);
const OPTION_RATIO_MAX = 3;

export function measureQuestions(session: IntakeSession): QuestionMeasures {
	const { questionSets, history, dimensions, facts } = session;
	const all = questionSets.flatMap(({ questions, round }) => questions.map((question) => ({ question, round })));
	const broken = all.map(({ question, round }) =>
		lintQuestion(question, { said: saidBefore(session, round), earlier: [] }),
	);
	const rules: Record<string, number> = {};
	for (const rule of broken.flat()) rules[rule] = (rules[rule] ?? 0) + 1;
	const pushing = broken.filter((list) => list.some((rule) => !FORM.has(rule) && !REPEATS.has(rule))).length;
	const malformed = broken.filter((list) => list.some((rule) => FORM.has(rule))).length;
	const duplicates = all.filter(({ question }, at) =>
		all.slice(0, at).some((earlier) => isSameQuestion(earlier.question.text, question.text)),
	).length;
	const answered = questionSets.filter(({ state }) => state === 'answered');
	const answeredQuestions = answered.flatMap(({ questions }) => questions).length;
	const firstAsked: Partial<Record<Dimension, number>> = {};
	for (const { question, round } of all) firstAsked[question.dimension] ??= round;
	const evidenceTurns = new Set(facts.flatMap(({ evidence }) => evidence.map(({ turnId }) => turnId)));
	const wasted = answered.filter(({ round }) => {
		const turn = history.find(({ kind, round: own }) => kind === 'answer' && own === round);
		return turn !== undefined && !evidenceTurns.has(turn.id);
	});
	return {
		neutral: shareOf(all.length - pushing, all.length),
		wellFormed: shareOf(all.length - malformed, all.length),
		rules,
		duplicates: { ...shareOf(duplicates, all.length), rate: all.length === 0 ? 0 : duplicates / all.length },
		unbalancedOptions: all.filter(({ question }) => isUnbalanced(question)).length,
		perRound: questionSets.map(({ questions }) => questions.length),
		total: all.length,
		wordsToRead: all.reduce((sum, { question }) => sum + wordsToRead(question), 0),
		medianAnswerMs: median(answerTimes(session)),
		skipped: {
			...shareOf(questionSets.filter(({ state }) => state === 'skipped').length, questionSets.length),
			rate:
				questionSets.length === 0
					? 0
					: questionSets.filter(({ state }) => state === 'skipped').length / questionSets.length,
		},
		edits: history.filter(({ editedAt }) => editedAt !== undefined).length,
		coverage: shareOf(
			DIMENSIONS.filter((one) => dimensions[one] === 'answered' || dimensions[one] === 'deferred').length,
			DIMENSIONS.length,
		),
		firstAsked,
		factsPerAnswer: answeredQuestions === 0 ? undefined : facts.length / answeredQuestions,
		wasted: wasted.flatMap(({ questions }) => questions).length,
	};
}

/** What people had said when a round's questions were asked. */
function saidBefore({ history }: IntakeSession, round: number): string {
	return history
		.filter(({ role, round: own, kind }) => role === 'user' && (kind === 'intent' || own < round))
		.map(({ content }) => content)
		.join('\n');
}

function isUnbalanced({ options }: Question): boolean {
	const lengths = options.filter(({ value }) => value !== OTHER && value !== LATER).map(({ label }) => label.length);
	return lengths.length >= 2 && Math.max(...lengths) / Math.max(1, Math.min(...lengths)) > OPTION_RATIO_MAX;
}

function wordsToRead({ text, options }: Question): number {
	return wordsOf([text, ...options.map(({ label }) => label)].join(' ')).length;
}

function answerTimes({ history, questionSets }: IntakeSession): number[] {
	return questionSets.flatMap((set) => {
		const turn = history.find(({ kind, round }) => kind === 'answer' && round === set.round);
		return turn === undefined ? [] : [turn.at - set.askedAt];
	});
}
