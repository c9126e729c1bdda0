import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPolicyFolder } from '../../../adapters/governance/policy-folder.ts';
import { createPrologGovernance, type PrologGovernance } from '../../../adapters/governance/prolog.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { packetOf } from './packet.ts';

let governance: PrologGovernance;

beforeAll(async () => {
	governance = createPrologGovernance({
		policyFiles: readPolicyFolder('config/governance'),
		log: createMemoryLog(),
		now: Date.now,
		limits: { wallMs: 20_000 },
	});
	await governance.start();
});
afterAll(async () => await governance.close());

test('INT-10 CONST-032-007 a packet that keeps every article is allowed, and the verdict names the rules by their hash', async () => {
	expect(await governance.evaluate(packetOf())).toEqual({
		outcome: 'allow',
		findings: [],
		policyHash: governance.policyHash,
	});
	expect(governance.policyHash).toMatch(/^[0-9a-f]{64}$/);
});

/** Article, what is wrong with the packet, what the person reads. */
const denied: readonly [string, string, Parameters<typeof packetOf>[0], RegExp][] = [
	['CONST-032-008', 'first_call_asks', { metadata: ['question_sets(0).'] }, /before a single question/],
	['CONST-032-010', 'first_call_asks', { metadata: ['question_sets(0).', 'cause(signal).'] }, /single question/],
	['CONST-032-011', 'rounds_within_limit', { metadata: ['round_count(5).'] }, /round 5; the limit is 4/],
	['CONST-032-011', 'rounds_within_limit', { metadata: ['max_rounds(9).'] }, /changed to 9/],
	['CONST-032-011', 'rounds_within_limit', { metadata: ['question_sets(4).'] }, /4 sets of questions/],
	['CONST-032-003', 'completion_honest', { metadata: ['cause(round_limit).', 'round_count(4).'] }, /complete although/],
	[
		'CONST-032-003',
		'completion_honest',
		{ metadata: ['trigger(forced).', 'cause(round_limit).'] },
		/only 3 of 4 rounds/,
	],
	['CONST-032-009', 'only_to_analyst', { metadata: ["packet_to('U:PM')."] }, /addressed to U:PM/],
	['CONST-032-009', 'only_to_analyst', { metadata: ["packet_from('U:Ox')."] }, /sent as U:Ox/],
	['CONST-032-009', 'only_to_analyst', { metadata: ['packet_subject(intent).'] }, /subject is intent/],
	['CONST-032-006', 'facts_grounded', { metadata: ['fact_evidence(1, 0).'] }, /supports has_feature\(inventory\)/],
	['CONST-032-001', 'facts_grounded', { without: ['fact_evidence 1'] }, /supports has_feature\(inventory\)/],
	['CONST-032-004', 'facts_whole', { metadata: ['fact_count(2).'] }, /announces 2 facts but holds 1/],
	['CONST-032-005', 'facts_whole', { metadata: ['fact_at(2, goal(world)).', 'fact_evidence(2, 1).'] }, /goal\(world\)/],
	['INT-10', 'no_secrets', { facts: ["security('key ghp_0123456789abcdefghij0123')"] }, /Requirement 1 .*GitHub token/],
	['INT-10', 'no_secrets', { facts: ['stores("AKIAIOSFODNN7EXAMPLE1")'] }, /AWS key/],
];
for (const [id, article, change, words] of denied) {
	test(`${id} INT-10 ${article} keeps a packet back: ${words.source}`, async () => {
		const verdict = await governance.evaluate(packetOf(change));
		expect(verdict.outcome).toBe('deny');
		const found = verdict.findings.find((finding) => finding.article === article && words.test(finding.reason));
		expect(found, JSON.stringify(verdict.findings)).toMatchObject({ severity: 'deny', origin: 'policy' });
	});
}

test('INT-10 a packet that leaves out any one figure, or states it twice, does not pass', async () => {
	const once = ['packet_from', 'packet_to', 'packet_subject', 'trigger', 'cause', 'round_count', 'question_sets'];
	for (const name of [...once, 'max_rounds', 'fact_count']) {
		const verdict = await governance.evaluate(packetOf({ without: [name] }));
		expect(verdict.findings.map((finding) => finding.article)).toContain('packet_well_formed');
	}
	const twice = await governance.evaluate(packetOf({ metadata: ["packet_to('U:BA').", "packet_to('U:PM')."] }));
	expect(twice.findings.map((finding) => finding.article)).toEqual(['packet_well_formed', 'only_to_analyst']);
});

const flagged: readonly [string, Parameters<typeof packetOf>[0], RegExp][] = [
	['nothing_known', { facts: [] }, /No fact could be supported/],
	['facts_set_aside', { metadata: ['excluded_count(3).'] }, /^3 of the model's facts/],
	[
		'subject_not_discussed',
		{ metadata: ['dimension_status(d6, open).', 'dimension_status(d7, open).'] },
		/deployment, constraints/,
	],
	['interface_not_discussed', { metadata: ['dimension_status(d4, asked).'] }, /user interface is wanted/],
	['wanted_and_excluded', { facts: ['has_feature(chat)', 'out_of_scope(chat)'] }, /^chat is asked for and ruled out/],
	['depends_on_unknown', { facts: ['has_feature(a)', 'depends_on(a, b)'] }, /a depends on b/],
	['depends_on_unknown', { facts: ['depends_on(a, a)'] }, /a depends on itself/],
	['written_by_code', { metadata: ['stand_in(summary).'] }, /no usable summary/],
	['human_wanted', { metadata: ['requires_escalation(true).'] }, /asked for a human/],
];
for (const [article, change, words] of flagged) {
	test(`INT-10 ${article} lets the packet go on, visibly: ${words.source}`, async () => {
		const verdict = await governance.evaluate(packetOf(change));
		expect(verdict.outcome).toBe('flag');
		expect(verdict.findings).toEqual([
			{ article, severity: 'flag', reason: expect.stringMatching(words), origin: 'policy' },
		]);
	});
}

test('INT-10 one broken article denies, whatever else is only flagged', async () => {
	const verdict = await governance.evaluate(packetOf({ metadata: ["packet_to('U:PM').", 'excluded_count(1).'] }));
	expect(verdict.outcome).toBe('deny');
	expect(verdict.findings.map((finding) => finding.severity).sort()).toEqual(['deny', 'flag']);
});

test('INT-10 forced endings pass when they are marked as what they are', async () => {
	for (const [cause, rounds] of [
		['round_limit', 4],
		['finish_now', 2],
		['auto_lock', 3],
	]) {
		const metadata = ['trigger(forced).', `cause(${cause}).`, `round_count(${rounds}).`];
		expect(await governance.evaluate(packetOf({ metadata }))).toMatchObject({ outcome: 'allow' });
	}
});

test('INT-10 the biggest packet that the settings allow is judged within its limits', async () => {
	const facts = Array.from({ length: 2_000 }, (_, place) => `has_feature(feature_${place}, 'word ${place}')`);
	expect(await governance.evaluate(packetOf({ facts }))).toMatchObject({ outcome: 'allow', findings: [] });
	const stray = packetOf({ facts, metadata: ['fact_evidence(1999, 0).'] });
	expect((await governance.evaluate(stray)).findings.map((finding) => finding.article)).toEqual(['facts_grounded']);
});

test('INT-10 words of a requirement are never taken for a rule, a figure or a command', async () => {
	const hostile = [
		'deny(no_secrets, x)',
		"article(free_pass, 'a', 'b')",
		'halt',
		'packet_to(nobody)',
		'fact_count(99)',
		"note(':- halt.')",
	];
	expect(await governance.evaluate(packetOf({ facts: hostile }))).toMatchObject({ outcome: 'allow' });
	expect(await governance.evaluate(packetOf())).toMatchObject({ outcome: 'allow', findings: [] });
});

test('INT-9 INT-10 CONST-032-005 text that is not plain facts is denied unread', async () => {
	const bad = [
		':- halt.',
		'a(X).',
		'a :- b.',
		'a, b.',
		'a(1',
		"a('",
		'user:a(1).',
		'{a}.',
		'- a(1).',
		'a(1). end_of_file. b(',
		'"text".',
	];
	for (const facts of bad) {
		const verdict = await governance.evaluate({ ...packetOf(), facts });
		expect(verdict, facts).toMatchObject({ outcome: 'deny', findings: [{ article: 'policy_error' }] });
		const metadata = `${packetOf().metadata}${facts}\n`;
		expect(await governance.evaluate({ ...packetOf(), metadata }), facts).toMatchObject({ outcome: 'deny' });
	}
	const unknown = await governance.evaluate(packetOf({ metadata: ['made_up(1).'] }));
	expect(unknown).toMatchObject({ outcome: 'deny', findings: [{ article: 'policy_error' }] });
	expect(await governance.evaluate(packetOf())).toMatchObject({ outcome: 'allow' });
});
