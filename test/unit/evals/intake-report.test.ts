import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_WORDS } from '../../../config/intake-words.ts';
import { measureUiFlag } from '../../../core/intake/measures/gold.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import { recordedSessions } from '../../evals/intake/recorded-session.ts';
import { intakeReport, LEAST } from '../../evals/intake/report.ts';
import { type ReportRow, sessionRow } from '../../evals/intake/report-row.ts';
import { reportTable } from '../../evals/intake/report-table.ts';
import { UI_LABELS } from '../../evals/intake/ui-labels.ts';
import { compiled } from '../core/intake/intake-driver.ts';

const folder = mkdtempSync(join(tmpdir(), 'intake-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { session } = compiled().press('lock').verdict('allow');
const forged: IntakeSession = {
	...session,
	id: 'forged',
	facts: session.facts.map((fact) => ({ ...fact, evidence: [{ turnId: 't1', messageId: 'm1', quote: 'never said' }] })),
};

function report(...files: string[]) {
	const path = join(folder, 'report.json');
	const run = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/intake-report.ts', ...files], {
		encoding: 'utf8',
		env: { ...process.env, REPORT_JSON: path },
		timeout: 60_000,
	});
	return { ...run, json: () => JSON.parse(readFileSync(path, 'utf8')) as { rows: ReportRow[]; failedGates: string[] } };
}
function file(name: string, content: unknown): string {
	const path = join(folder, name);
	writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
	return path;
}

describe('INT-28 the report over recorded sessions', () => {
	test('INT-28 an export is measured, printed and written; nothing failed, so it ends well', () => {
		const run = report(file('good.json', { session, modelCalls: [] }));
		expect([run.status, run.stderr]).toEqual([0, '']);
		expect(run.stdout).toMatch(/good\/s1 +complete +2\/2 +1\/1/);
		expect(run.stdout).toMatch(/grounded facts +100 %/);
		expect(run.json()).toMatchObject({ failedGates: [], rows: [{ measures: { sessionId: 's1' } }] });
	});

	test('INT-28 a fact that rests on nothing fails the gate and the command', () => {
		const run = report(file('both.json', [session, { session: forged }]));
		expect(run.status).toBe(1);
		expect(run.stdout).toContain('GATE FAILED: both/forged: grounded');
	});

	test('INT-28 what is no session is said with its place', () => {
		expect(report(file('list.json', [session, { session: { id: 'x' } }]))).toMatchObject({
			status: 2,
			stderr: expect.stringContaining('entry 2 is no intake session'),
		});
		expect(() => recordedSessions('a.json', '{')).toThrow('a.json is not JSON');
		expect(() => recordedSessions('a.json', 'null')).toThrow('this is no intake session');
	});
});

describe('INT-28 gates over all sessions', () => {
	const row = (change: Partial<ReportRow>): ReportRow => ({ ...sessionRow('one', session), ...change });
	const none = { part: 0, whole: 4, rate: 0 };
	const all = { part: 4, whole: 4, rate: 1 };
	const gold = { keyQuestionCoverage: all, captured: all, turnsToClarify: 2 };
	const facts = { precision: all, recall: all, extra: [], missing: [] };

	test('INT-28 each of them can fail', () => {
		const failed = (change: Partial<ReportRow>) =>
			intakeReport([row({ gold, facts, isUiRight: true, ...change })]).failedGates;
		expect(failed({})).toEqual([]);
		expect(failed({ gold: { ...gold, keyQuestionCoverage: none } })).toEqual(['key questions: 0 %, at least 95 %']);
		expect(failed({ gold: { ...gold, captured: none } })).toEqual(['captured slots: 0 %, at least 80 %']);
		expect(failed({ facts: { ...facts, precision: none } })).toHaveLength(1);
		expect(failed({ facts: { ...facts, recall: none } })).toHaveLength(1);
		expect(failed({ isUiRight: false })).toEqual(['right user-interface flags: 0 %, at least 100 %']);
		const { measures } = row({});
		const questions = { ...measures.questions, neutral: none, duplicates: { part: 3, whole: 4, rate: 0.75 } };
		expect(failed({ measures: { ...measures, questions } })).toEqual([
			'neutral questions: 0 %, at least 95 %',
			'repeated questions: 75 %, at most 2 %',
		]);
		expect(intakeReport([], { precision: 0.5, recall: 0.5, wrong: [] }).failedGates).toHaveLength(2);
	});

	test('INT-28 shares are added by their counts, and sessions without a gold have no such columns', () => {
		const two = intakeReport([row({}), row({ gold: { ...gold, captured: none, turnsToClarify: undefined }, facts })]);
		expect(two.totals).toMatchObject({
			sessions: 2,
			grounded: { part: 4, whole: 4 },
			captured: { part: 0, whole: 4 },
			factsPerAnswer: 1,
			questionsPerSession: 2,
		});
		expect(two.totals.meanTurnsToClarify).toBeUndefined();
		expect(reportTable(intakeReport([row({})]))).not.toContain('key questions');
		expect(intakeReport([]).totals).toMatchObject({ sessions: 0, duplicates: { rate: 0 }, questionsPerSession: 0 });
	});
});

test('INT-28 INT-8 the flag on the labelled texts: at least 40, in several languages, and above its gates', () => {
	expect(new Set(UI_LABELS.map(({ text }) => text)).size).toBe(UI_LABELS.length);
	expect(UI_LABELS.length).toBeGreaterThanOrEqual(40);
	const { precision, recall, wrong } = measureUiFlag(UI_LABELS, Object.values(DEFAULT_WORDS));
	expect(precision).toBeGreaterThanOrEqual(LEAST.uiPrecision);
	expect(recall).toBeGreaterThanOrEqual(LEAST.uiRecall);
	// Known to be beyond word lists; a text that leaves this list is a gain, one that joins it a loss.
	expect(wrong).toEqual([
		'Do not forget the dashboard!',
		'Parse the HTML of a competitor’s website every night.',
		'The robot presses a button on the machine.',
		'People should be able to click through the photos in their browser.',
	]);
});
