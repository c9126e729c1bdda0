import type { Share } from '../../../core/intake/measures/share.ts';
import { type IntakeReport, percent } from './report.ts';
import type { ReportRow } from './report-row.ts';

const COLUMNS: readonly (readonly [title: string, cell: (row: ReportRow) => string])[] = [
	['session', ({ name }) => name],
	['end', ({ state, trigger }) => trigger ?? state.toLowerCase()],
	['grounded', ({ measures }) => share(measures.facts.grounded)],
	['numbers', ({ measures }) => share(measures.facts.numberFidelity)],
	['used', ({ measures }) => share(measures.facts.interviewCoverage)],
	['D1-D7', ({ measures }) => share(measures.questions.coverage)],
	['neutral', ({ measures }) => share(measures.questions.neutral)],
	['repeated', ({ measures }) => share(measures.questions.duplicates)],
	['sets', ({ measures }) => measures.questions.perRound.join('+')],
	['facts/answer', ({ measures }) => decimal(measures.questions.factsPerAnswer)],
	['key questions', ({ gold }) => share(gold?.keyQuestionCoverage)],
	['captured', ({ gold }) => share(gold?.captured)],
	['turns', ({ gold }) => (gold === undefined ? '' : `${gold.turnsToClarify ?? '–'}`)],
	['precision', ({ facts }) => share(facts?.precision)],
	['recall', ({ facts }) => share(facts?.recall)],
	['UI', ({ isUiRight }) => (isUiRight === undefined ? '' : isUiRight ? 'right' : 'WRONG')],
];

/** The report for a terminal: a line a session, then what they come to together. */
export function reportTable({ rows, totals, uiFlag }: IntakeReport): string {
	const used = COLUMNS.filter(([, cell]) => rows.some((row) => cell(row) !== ''));
	const cells = [used.map(([title]) => title), ...rows.map((row) => used.map(([, cell]) => cell(row)))];
	const widths = used.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
	const lines = cells.map((row) =>
		row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
	);
	const sums: (readonly [string, string | undefined])[] = [
		['sessions', `${totals.sessions}`],
		['grounded facts', whole(totals.grounded)],
		['number fidelity', whole(totals.numberFidelity)],
		['requirements faithfulness', whole(totals.faithfulness)],
		['interview coverage', whole(totals.interviewCoverage)],
		[
			'interview coverage, median session',
			totals.medianInterviewCoverage === undefined ? undefined : percent(totals.medianInterviewCoverage),
		],
		['dimensions answered or put off', whole(totals.dimensions)],
		['neutral questions', whole(totals.neutral)],
		['well-formed questions', whole(totals.wellFormed)],
		['repeated questions', whole(totals.duplicates)],
		['questions a session', decimal(totals.questionsPerSession)],
		['words to read a session', decimal(totals.wordsToReadPerSession)],
		['facts an answered question', decimal(totals.factsPerAnswer)],
		['key-question coverage', whole(totals.keyQuestions)],
		['slots captured', whole(totals.captured)],
		['turns to clarify, mean', decimal(totals.meanTurnsToClarify)],
		['facts: precision', whole(totals.factPrecision)],
		['facts: recall', whole(totals.factRecall)],
		['user-interface flags right', whole(totals.uiRight)],
		['flag on labelled texts: precision', uiFlag && percent(uiFlag.precision)],
		['flag on labelled texts: recall', uiFlag && percent(uiFlag.recall)],
	];
	const shown = sums.filter((one): one is [string, string] => one[1] !== undefined && one[1] !== '');
	const width = Math.max(...shown.map(([title]) => title.length));
	return [...lines, '', ...shown.map(([title, value]) => `${title.padEnd(width)}  ${value}`)].join('\n');
}

function share(given: Share | undefined): string {
	if (given === undefined) return '';
	return given.whole === 0 ? '–' : `${given.part}/${given.whole}`;
}

function whole(given: Share | undefined): string | undefined {
	return given && `${percent(given.rate)} (${given.part} of ${given.whole})`;
}

function decimal(value: number | undefined): string {
	return value === undefined ? '' : `${Math.round(value * 10) / 10}`;
}
