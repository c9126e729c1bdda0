import { expect, test } from 'vitest';
import { describePolicyProblems, PolicyError } from '../../../../adapters/governance/policy-error.ts';
import { readPolicyReport } from '../../../../adapters/governance/policy-report.ts';

test('INT-10 articles are taken as the files declare them', () => {
	const rows = [['a', 'Title', 'About.', 'x.pl', 3]];
	expect(readPolicyReport({ outcome: 'articles', rows })).toEqual({
		ok: true,
		articles: [{ id: 'a', title: 'Title', about: 'About.', file: 'x.pl', line: 3 }],
	});
});

test('INT-10 problems come in the order of files and lines, one readable line each', () => {
	const rows = [
		['b.pl', 9, 'warning', 'second'],
		['b.pl', 2, 'error', 'first'],
		['a.pl', 40, 'error', 'zeroth'],
	];
	const report = readPolicyReport({ outcome: 'problems', rows });
	const problems = report.ok ? [] : report.problems;
	expect(describePolicyProblems(problems)).toBe(
		'a.pl:40: error: zeroth\nb.pl:2: error: first\nb.pl:9: warning: second',
	);
	expect(new PolicyError(problems)).toMatchObject({ code: 'policy_broken', problems });
});

test('INT-10 whatever else the engine says about loading is a problem, never a list of articles', () => {
	const odd = [
		{ outcome: undefined, rows: undefined },
		{ outcome: 'articles', rows: [] },
		{ outcome: 'articles', rows: [['a', 'Title', 'About.', 'x.pl']] },
		{ outcome: 'articles', rows: [['a', 'Title', 'About.', 'x.pl', '3']] },
		{ outcome: 'articles', rows: [['a', 'T', 'A', 'x.pl', 3], { $t: 'v' }] },
		{ outcome: 'problems', rows: [] },
		{ outcome: 'problems', rows: [['a', 'b', 'c', 'd']] },
		{ outcome: 'fine', rows: [['a', 'T', 'A', 'x.pl', 3]] },
	];
	for (const loaded of odd) expect(readPolicyReport(loaded).ok, JSON.stringify(loaded)).toBe(false);
});
