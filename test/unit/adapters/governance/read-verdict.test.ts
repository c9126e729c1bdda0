import { expect, test } from 'vitest';
import type { EngineAnswer } from '../../../../adapters/governance/policy-engine.ts';
import { readVerdict } from '../../../../adapters/governance/read-verdict.ts';

const articles = new Set(['first_call_asks', 'no_secrets']);
const answer = (change: Partial<EngineAnswer>): EngineAnswer => ({
	status: 'ok',
	findings: [],
	isNoisy: false,
	memoryBytes: 1,
	...change,
});
const read = (change: Partial<EngineAnswer>) => readVerdict(answer(change), articles, 'hash');

test('INT-10 no findings allow, flags flag, one denial denies', () => {
	expect(read({})).toEqual({ ok: true, verdict: { outcome: 'allow', findings: [], policyHash: 'hash' } });
	const flag = ['flag', 'no_secrets', 'a sentence'];
	expect(read({ findings: [flag] })).toMatchObject({ verdict: { outcome: 'flag' } });
	const deny = ['deny', 'first_call_asks', 'another'];
	expect(read({ findings: [flag, deny] })).toMatchObject({
		verdict: {
			outcome: 'deny',
			findings: [
				{ article: 'no_secrets', severity: 'flag', reason: 'a sentence', origin: 'policy' },
				{ article: 'first_call_asks', severity: 'deny', reason: 'another', origin: 'policy' },
			],
		},
	});
});

test('INT-10 the same finding twice is said once', () => {
	const flag = ['flag', 'no_secrets', 'a sentence'];
	const result = read({ findings: [flag, flag, [...flag.slice(0, 2), 'other']] });
	expect(result.ok && result.verdict.findings).toHaveLength(2);
});

const malformed: readonly [string, Partial<EngineAnswer>][] = [
	['output beside a clean answer', { isNoisy: true }],
	['an unknown status', { status: 'fine' }],
	['no status', { status: undefined }],
	['a status that only looks right', { status: ['ok'] }],
	['no findings', { findings: undefined }],
	['findings that are no list', { findings: 'none' }],
	['a finding that is no list', { findings: ['deny'] }],
	['a finding of two parts', { findings: [['deny', 'no_secrets']] }],
	['a finding of four parts', { findings: [['deny', 'no_secrets', 'x', 'y']] }],
	['an unknown severity', { findings: [['allow', 'no_secrets', 'x']] }],
	['an unknown article', { findings: [['deny', 'made_up', 'x']] }],
	['an article by prototype', { findings: [['flag', 'constructor', 'x']] }],
	['an article that is no text', { findings: [['flag', 3, 'x']] }],
	['a reason that is no text', { findings: [['flag', 'no_secrets', 7]] }],
	['an empty reason', { findings: [['flag', 'no_secrets', '  ']] }],
	['one bad finding among good ones', { findings: [['flag', 'no_secrets', 'x'], null] }],
];
for (const [what, change] of malformed) {
	test(`INT-10 ${what} is no verdict`, () => {
		expect(read(change).ok).toBe(false);
	});
}
