import type { FlagMeasures } from '../../../core/intake/measures/gold.ts';
import { addShares, median, type Share, shareOf } from '../../../core/intake/measures/share.ts';
import type { ReportRow } from './report-row.ts';

export interface ReportTotals {
	readonly sessions: number;
	readonly grounded: Share;
	readonly numberFidelity: Share;
	readonly faithfulness: Share;
	readonly interviewCoverage: Share;
	/** The same of the session in the middle, which one very long text does not move. */
	readonly medianInterviewCoverage: number | undefined;
	readonly dimensions: Share;
	readonly neutral: Share;
	readonly wellFormed: Share;
	/** Part: questions that repeat an earlier one. */
	readonly duplicates: Share;
	readonly questionsPerSession: number;
	readonly wordsToReadPerSession: number;
	/** Part: facts, whole: answered questions. */
	readonly factsPerAnswer: number | undefined;
	readonly keyQuestions?: Share;
	readonly captured?: Share;
	readonly meanTurnsToClarify?: number;
	readonly factPrecision?: Share;
	readonly factRecall?: Share;
	readonly uiRight?: Share;
}

export interface IntakeReport {
	readonly rows: readonly ReportRow[];
	readonly totals: ReportTotals;
	readonly uiFlag?: FlagMeasures;
	/** What fell short, in words; empty when every gate holds. */
	readonly failedGates: readonly string[];
}

/** Least shares over all sessions together; the gates of `measureSession` hold for each session by itself. */
export const LEAST = {
	neutral: 0.95,
	keyQuestions: 0.95,
	captured: 0.8,
	factPrecision: 0.95,
	factRecall: 0.95,
	uiRight: 1,
	uiPrecision: 0.9,
	uiRecall: 0.9,
} as const;
/** Most repeated questions over all sessions together. */
const MOST_DUPLICATES = 0.02;

/** Puts rows together, adds them up by their counts, and holds them to the gates. */
export function intakeReport(rows: readonly ReportRow[], uiFlag?: FlagMeasures): IntakeReport {
	const totals = totalsOf(rows);
	const failedGates = [
		...rows.flatMap(({ name, measures }) =>
			measures.failedGates.map((gate) => `${name}: ${[gate, ...measures.brokenInvariants].join(' ')}`),
		),
		...tooLow('neutral questions', totals.neutral.rate, LEAST.neutral),
		...tooLow('key questions', totals.keyQuestions?.rate, LEAST.keyQuestions),
		...tooLow('captured slots', totals.captured?.rate, LEAST.captured),
		...tooLow('right facts of those handed on', totals.factPrecision?.rate, LEAST.factPrecision),
		...tooLow('facts handed on of the right ones', totals.factRecall?.rate, LEAST.factRecall),
		...tooLow('right user-interface flags', totals.uiRight?.rate, LEAST.uiRight),
		...tooLow('precision of the flag on labelled texts', uiFlag?.precision, LEAST.uiPrecision),
		...tooLow('recall of the flag on labelled texts', uiFlag?.recall, LEAST.uiRecall),
	];
	if (totals.duplicates.rate > MOST_DUPLICATES)
		failedGates.push(`repeated questions: ${percent(totals.duplicates.rate)}, at most ${percent(MOST_DUPLICATES)}`);
	return { rows, totals, failedGates, ...(uiFlag === undefined ? {} : { uiFlag }) };
}

function tooLow(name: string, rate: number | undefined, least: number): string[] {
	return rate === undefined || rate >= least ? [] : [`${name}: ${percent(rate)}, at least ${percent(least)}`];
}

export function percent(rate: number): string {
	return `${Math.floor(rate * 1000) / 10} %`;
}

function totalsOf(rows: readonly ReportRow[]): ReportTotals {
	const facts = rows.map(({ measures }) => measures.facts);
	const questions = rows.map(({ measures }) => measures.questions);
	const sum = (values: readonly number[]) => values.reduce((left, right) => left + right, 0);
	const each = (total: number) => (rows.length === 0 ? 0 : total / rows.length);
	const answered = questions.flatMap(({ factsPerAnswer }, at) =>
		factsPerAnswer === undefined ? [] : [{ facts: facts[at]?.factCount ?? 0, rate: factsPerAnswer }],
	);
	// A session's rate is its facts by its answered questions; with no fact the number of questions is not in it.
	const counted = answered.filter(({ rate }) => rate > 0);
	const answers = sum(counted.map(({ facts: count, rate }) => count / rate));
	const golden = rows.filter((row) => row.gold !== undefined);
	const turns = golden.flatMap(({ gold }) => (gold?.turnsToClarify === undefined ? [] : [gold.turnsToClarify]));
	return {
		sessions: rows.length,
		grounded: addShares(facts.map(({ grounded }) => grounded)),
		numberFidelity: addShares(facts.map(({ numberFidelity }) => numberFidelity)),
		faithfulness: addShares(facts.map(({ faithfulness }) => faithfulness)),
		interviewCoverage: addShares(facts.map(({ interviewCoverage }) => interviewCoverage)),
		medianInterviewCoverage: median(facts.map(({ interviewCoverage }) => interviewCoverage.rate)),
		dimensions: addShares(questions.map(({ coverage }) => coverage)),
		neutral: addShares(questions.map(({ neutral }) => neutral)),
		wellFormed: addShares(questions.map(({ wellFormed }) => wellFormed)),
		duplicates: rateOf(questions.map(({ duplicates }) => duplicates)),
		questionsPerSession: each(sum(questions.map(({ total }) => total))),
		wordsToReadPerSession: each(sum(questions.map(({ wordsToRead }) => wordsToRead))),
		factsPerAnswer: answers === 0 ? undefined : sum(counted.map(({ facts: count }) => count)) / answers,
		...(golden.length === 0
			? {}
			: {
					keyQuestions: addShares(golden.flatMap(({ gold }) => gold?.keyQuestionCoverage ?? [])),
					captured: addShares(golden.flatMap(({ gold }) => gold?.captured ?? [])),
					...(turns.length === 0 ? {} : { meanTurnsToClarify: sum(turns) / turns.length }),
					factPrecision: addShares(golden.flatMap(({ facts: own }) => own?.precision ?? [])),
					factRecall: addShares(golden.flatMap(({ facts: own }) => own?.recall ?? [])),
					uiRight: shareOf(golden.filter(({ isUiRight }) => isUiRight).length, golden.length),
				}),
	};
}

/** Of a bad thing nothing of nothing is none, not all. */
function rateOf(shares: readonly Share[]): Share {
	const { part, whole } = addShares(shares);
	return { part, whole, rate: whole === 0 ? 0 : part / whole };
}
