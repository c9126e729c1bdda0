import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { PolicyLimits } from '../../../adapters/governance/policy-limits.ts';
import { createPrologGovernance, type PrologGovernance } from '../../../adapters/governance/prolog.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { packetOf } from './packet.ts';

const opened: PrologGovernance[] = [];
afterEach(async () => {
	for (const governance of opened.splice(0)) await governance.close();
});

/** Does `goal` for packets of round 2 only; unvetted, so that nothing but the engine's own walls stands in its way. */
function withPolicy(goal: string, rules = '', limits: Partial<PolicyLimits> = {}) {
	const text = `article(house_rule, "A rule", "It misbehaves.").\ndeny(house_rule, "reached") :- round_count(2), ${goal}.\n${rules}`;
	const log = createMemoryLog();
	const governance = createPrologGovernance({
		policyFiles: [{ name: 'hostile.pl', text }],
		log,
		now: Date.now,
		vetting: 'none',
		limits: { wallMs: 20_000, ...limits },
	});
	opened.push(governance);
	return { governance, log };
}

const bad = packetOf({ metadata: ['round_count(2).'] });
const good = packetOf({ metadata: ['round_count(3).'] });

const hostile: readonly [string, string, string?, Partial<PolicyLimits>?][] = [
	['halts', 'halt'],
	['halts with a code, behind a choice', '(fail ; halt(3))'],
	['aborts', 'abort'],
	['loops until its inferences are used up', 'spin', 'spin :- spin.'],
	['loops by the clock', 'spin', 'spin :- spin.', { wallMs: 1_500, inferences: 2_000_000_000 }],
	[
		'loops in one long step',
		'numlist(1, 3000000, L), msort(L, S), length(S, N), spin(N)',
		'spin(N) :- spin(N).',
		{ wallMs: 1_500, inferences: 2_000_000_000 },
	],
	[
		'catches its own limit and goes on',
		'spin',
		'spin :- catch(spin(0), _, true), spin.\nspin(N) :- M is N + 1, spin(M).',
		{ wallMs: 2_000, inferences: 100_000 },
	],
	['grows a term without end', 'grow([])', 'grow(X) :- grow([X|X]).'],
	[
		'recurses without end',
		'deep(0)',
		'deep(N) :- M is N + 1, deep(M), true(M).\ntrue(_).',
		{ inferences: 2_000_000_000 },
	],
	['doubles an atom without end', 'double(abc)', 'double(A) :- atom_concat(A, A, B), double(B).'],
	[
		'writes to the rule base without end',
		'fill(0)',
		'fill(N) :- assertz(seen(N)), M is N + 1, fill(M).',
		{ inferences: 2_000_000_000 },
	],
	['computes a number beyond all bounds', 'X is 9 ** (9 ** 9), X > 0'],
	['prints', 'write(user_output, hello), nl(user_output)'],
	['prints to the error stream', 'write(user_error, hello), nl(user_error)'],
	['reads a file of the machine', "open('/etc/passwd', read, S), read_string(S, _, _)"],
	['runs JavaScript', 'js_run_script("globalThis.escaped = 1")'],
	['reaches JavaScript through the bridge', 'wasm:(X := prolog.constructor.constructor("return process")), nonvar(X)'],
	['calls something that is not there', 'no_such_rule(1)'],
	['divides by zero', 'X is 1 / 0, X > 1'],
	['throws', 'throw(done)'],
	['gives an explanation that is not settled', 'fail', 'deny(house_rule, ["x", _]) :- round_count(2).'],
	['gives an empty explanation', 'fail', 'deny(house_rule, "") :- round_count(2).'],
];
for (const [what, goal, rules = '', limits = {}] of hostile) {
	test(`INT-10 a policy that ${what} is denied, and the next packet is judged`, async () => {
		const { governance, log } = withPolicy(goal, rules, limits);
		const verdict = await governance.evaluate(bad);
		expect(verdict.outcome).toBe('deny');
		expect(verdict.findings).toEqual([
			{ article: 'policy_error', severity: 'deny', reason: expect.stringMatching(/\.$/), origin: 'policy' },
		]);
		expect(log.lines.some((line) => line.level === 'warn')).toBe(true);
		expect(await governance.evaluate(good)).toMatchObject({ outcome: 'allow', findings: [] });
		expect('escaped' in globalThis).toBe(false);
	});
}

test('INT-10 a policy that writes a file leaves none on this machine', async () => {
	const path = join(tmpdir(), 'majordomo-policy-wrote-this');
	rmSync(path, { force: true });
	const { governance } = withPolicy(`catch((open('${path}', write, S), write(S, x), close(S)), _, fail)`);
	await governance.evaluate(bad);
	expect(existsSync(path)).toBe(false);
	expect(await governance.evaluate(good)).toMatchObject({ outcome: 'allow' });
});

test('INT-10 what a policy states in one evaluation is gone in the next', async () => {
	const { governance } = withPolicy(
		'assertz(spoiled), fail',
		'deny(house_rule, "spoiled") :- catch(spoiled, _, fail).',
	);
	expect(await governance.evaluate(bad)).toMatchObject({ outcome: 'deny' });
	expect(await governance.evaluate(good)).toMatchObject({ outcome: 'allow' });
});

test('INT-10 more findings than anybody reads end in a bounded verdict', async () => {
	const { governance } = withPolicy(
		'fail',
		'deny(house_rule, ["number ", N]) :- round_count(2), between(1, 1000000, N).',
		{ maxFindings: 20 },
	);
	const verdict = await governance.evaluate(bad);
	expect(verdict.outcome).toBe('deny');
	expect(verdict.findings).toHaveLength(20);
	expect(verdict.findings[0]).toMatchObject({ article: 'house_rule', reason: 'number 1' });
});

test('INT-10 a long explanation is cut where a person stops reading', async () => {
	const rules = 'deny(house_rule, Long) :- round_count(2), numlist(1, 5000, Long).';
	const verdict = await withPolicy('fail', rules).governance.evaluate(bad);
	expect(verdict.findings[0]?.article).toBe('house_rule');
	expect(verdict.findings[0]?.reason).toHaveLength(500);
});

test('INT-10 an explanation is put together of texts, numbers and terms of any kind', async () => {
	const rules = `deny(house_rule, ["a ", 'B c', " ", 1.5, " ", f('X y', "s"), " ", [], " ", [1, 'Z']]) :- round_count(2).`;
	const verdict = await withPolicy('fail', rules).governance.evaluate(bad);
	expect(verdict.findings[0]?.reason).toBe(`a B c 1.5 f('X y',"s") [] [1,'Z']`);
});

const bounded: readonly [string, string, string, Partial<PolicyLimits>][] = [
	[
		'memory',
		'double(abc, 25)',
		'double(_, 0).\ndouble(A, N) :- N > 0, atom_concat(A, A, B), M is N - 1, double(B, M).',
		{ memoryBytes: 64 * 1_048_576 },
	],
	['stack', 'numlist(1, 400000, L), sum_list(L, _)', '', { stackBytes: 4 * 1_048_576 }],
	['inference', 'count(0)', 'count(2000000).\ncount(N) :- N < 2000000, M is N + 1, count(M).', { inferences: 100_000 }],
];
for (const [what, goal, rules, limits] of bounded) {
	test(`INT-10 a policy that would end is denied all the same when it goes beyond its ${what} limit`, async () => {
		const { governance } = withPolicy(`${goal}, fail`, rules, limits);
		expect(await governance.evaluate(bad)).toMatchObject({ outcome: 'deny', findings: [{ article: 'policy_error' }] });
		expect(await governance.evaluate(good)).toMatchObject({ outcome: 'allow' });
		const wide = withPolicy(`${goal}, fail`, rules, {
			memoryBytes: 1_073_741_824,
			stackBytes: 268_435_456,
			inferences: 100_000_000,
		});
		expect(await wide.governance.evaluate(bad)).toMatchObject({ outcome: 'allow' });
	});
}

test('INT-10 a packet longer than the limit is denied without asking an engine', async () => {
	const { governance } = withPolicy('fail', '', { maxInputChars: 200 });
	expect(await governance.evaluate(good)).toMatchObject({ outcome: 'deny', findings: [{ article: 'policy_error' }] });
});

test('INT-10 a check that is called off is a denial, and the next packet is judged', async () => {
	const { governance } = withPolicy('spin', 'spin :- spin.', { inferences: 2_000_000_000, wallMs: 60_000 });
	await governance.start();
	const early = await governance.evaluate(good, AbortSignal.abort());
	expect(early).toMatchObject({ outcome: 'deny', findings: [{ reason: expect.stringContaining('called off') }] });
	const late = new AbortController();
	const running = governance.evaluate(bad, late.signal);
	setTimeout(() => late.abort(), 50);
	expect(await running).toMatchObject({
		outcome: 'deny',
		findings: [{ reason: expect.stringContaining('called off') }],
	});
	expect(await governance.evaluate(good)).toMatchObject({ outcome: 'allow' });
});

test('INT-10 packets at the same time each get their own verdict, with a looping one among them', async () => {
	const { governance } = withPolicy('spin', 'spin :- spin.', { inferences: 2_000_000_000, wallMs: 1_000, workers: 2 });
	const packets = Array.from({ length: 12 }, (_, place) => (place === 3 || place === 7 ? bad : good));
	const verdicts = await Promise.all(packets.map((packet) => governance.evaluate(packet)));
	expect(verdicts.map((verdict) => verdict.outcome)).toEqual(
		packets.map((packet) => (packet === bad ? 'deny' : 'allow')),
	);
});

test('INT-10 more packets than may wait are denied at once, not queued without end', async () => {
	const { governance } = withPolicy('fail', '', { maxWaiting: 2 });
	const verdicts = await Promise.all(Array.from({ length: 6 }, () => governance.evaluate(good)));
	const denied = verdicts.filter((verdict) => verdict.outcome === 'deny');
	expect(verdicts.filter((verdict) => verdict.outcome === 'allow').length).toBeGreaterThan(0);
	expect(denied.length).toBeGreaterThan(0);
	expect(denied[0]?.findings[0]?.reason).toContain('Too many packets');
});

test('INT-10 after closing, every packet is denied', async () => {
	const { governance } = withPolicy('fail');
	expect(await governance.evaluate(good)).toMatchObject({ outcome: 'allow' });
	await governance.close();
	expect(await governance.evaluate(good)).toMatchObject({ outcome: 'deny', findings: [{ article: 'policy_error' }] });
});
