import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRequirements, readTests, traceRequirements } from '../../../scripts/requirement-trace.ts';

const page =
	'| id | what | state |\n|---|---|---|\n| OVR-1 | gate | claimed |\n| OVR-2 | triggers | planned |\n| D11 | twice | claimed |\n';

describe('requirement trace', () => {
	test('names of tests are found however the test is written', () => {
		const source = [
			"test('OVR-1 plain', () => {});",
			'it("OVR-1, OVR-2: both", async () => {});',
			"test.each([['a)', 'x']])('OVR-2 each %s', () => {});",
			'test.skipIf(!here)(`OVR-2 D11 @{name} templated`, () => {});',
			"test('OVR-1 with options', { timeout: 5 }, () => {});",
			"const text = \"test('OVR-9 in a string', () => {})\"; // test('OVR-9 in a comment', () => {})",
			"call('OVR-9 no test', () => {});",
			"test('plain words OVR-9', () => {});",
			"describe('OVR-9 a group', () => {});",
		]
			.join('\n')
			.replaceAll('@{', '${');
		expect(readTests('a.test.ts', source).map(({ name, ids }) => [name, ids])).toEqual([
			['OVR-1 plain', ['OVR-1']],
			['OVR-1, OVR-2: both', ['OVR-1', 'OVR-2']],
			['OVR-2 each %s', ['OVR-2']],
			['OVR-2 D11 ', ['OVR-2', 'D11']],
			['OVR-1 with options', ['OVR-1']],
		]);
	});

	test('what is switched off shows nothing', () => {
		const source =
			"test.skip('OVR-1 a', () => {}); test.todo('OVR-1 b', {}); describe.skip('x', () => { test('OVR-1 c', () => {}); });";
		const tests = readTests('a.test.ts', source);
		expect(tests.map(({ isOff }) => isOff)).toEqual([true, true, true]);
		expect(traceRequirements(page, tests).problems).toContain('OVR-1 is claimed and no test names it: gate');
	});

	test('a claim without a test and a test with an unknown id are problems; a plan without one is none', () => {
		const tests = readTests('a.test.ts', "test('OVR-1 a', () => {}); test('OVR-77 b', () => {});");
		const { rows, problems } = traceRequirements(page, tests);
		expect(problems).toEqual([
			'a.test.ts: "OVR-77 b" names OVR-77, which is not in the requirements',
			'D11 is claimed and no test names it: twice',
		]);
		expect(rows.map(({ id, tests: shown }) => [id, shown.length])).toEqual([
			['OVR-1', 1],
			['OVR-2', 0],
			['D11', 0],
		]);
	});

	test('rows that are not whole are problems', () => {
		const { requirements, problems } = readRequirements(
			'| OVR-1 | a | claimed |\n| OVR-1 | b | planned |\n| OVR-2 | c | done |\n| OVR-3 | | planned |\n',
		);
		expect(requirements).toHaveLength(1);
		expect(problems).toHaveLength(3);
	});

	test('a row may name the files that show it, and each of them has to', () => {
		const rows =
			'| TEST-032-001 | alias | claimed | `a.test.ts`, `b.test.ts` |\n| FR-001 | packets | planned | |\n| E09 | overload | claimed | `a.test.ts` |\n';
		const tests = readTests('a.test.ts', "test('TEST-032-001 E09 a', () => {});");
		expect(traceRequirements(rows, tests).problems).toEqual([
			'FR-001: names an empty test file',
			'TEST-032-001 is said to be shown by b.test.ts, where no test names it',
		]);
		expect(readTests('a.test.ts', "test('CONST-032-015 US-006 E16 a', () => {});")[0]?.ids).toEqual([
			'CONST-032-015',
			'US-006',
		]);
	});

	test('the page lists every requirement once', () => {
		const { requirements, problems } = readRequirements(readFileSync('docs/requirements.md', 'utf8'));
		expect(problems).toEqual([]);
		const ids = new Set(requirements.map(({ id }) => id));
		for (const [prefix, last] of [
			['OVR', 33],
			['INT', 28],
			['FLT', 22],
			['OPS', 18],
		] as const)
			for (let number = 1; number <= last; number++) expect(ids).toContain(`${prefix}-${number}`);
		for (const [prefix, last] of [
			['TEST-032-', 50],
			['CONST-032-', 15],
			['FR-', 13],
			['US-', 6],
		] as const)
			for (let number = 1; number <= last; number++)
				expect(ids).toContain(`${prefix}${String(number).padStart(3, '0')}`);
	});
});
