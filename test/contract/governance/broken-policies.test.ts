import { expect, test } from 'vitest';
import { checkPolicies } from '../../../adapters/governance/check-policies.ts';
import { PolicyError } from '../../../adapters/governance/policy-error.ts';
import { readPolicyFolder } from '../../../adapters/governance/policy-folder.ts';
import { createPrologGovernance } from '../../../adapters/governance/prolog.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { packetOf } from './packet.ts';

const start = 'article(house_rule, "A rule", "What it protects.").\n';

async function problemsOf(...texts: string[]) {
	const report = await checkPolicies(texts.map((text, place) => ({ name: `${'abc'[place]}.pl`, text })));
	return report.ok ? [] : report.problems.map((found) => `${found.file}:${found.line} ${found.kind} ${found.message}`);
}

test('INT-10 the constitution and every example load without an error or a warning', async () => {
	const files = [...readPolicyFolder('config/governance'), ...readPolicyFolder('config/governance/examples')];
	const report = await checkPolicies(files);
	expect(report).toMatchObject({ ok: true });
	const articles = report.ok ? report.articles : [];
	const needed = ['first_call_asks', 'rounds_within_limit', 'only_to_analyst', 'facts_grounded', 'no_secrets'];
	expect(articles.map((article) => article.id)).toEqual(expect.arrayContaining(needed));
	for (const article of articles) expect(article.about).toMatch(/\.$/);
});

test('INT-10 every mistake of a file is told at once, with its line and what to do', async () => {
	const text = [
		'article(house_rule, "A rule", "What it protects.").', // 1
		'deny(house_rule, "x") :- round_count(N), N > 4', // 2: full stop missing
		'',
		'deny(house_rule, "y") :- question_sets(0).', // 4
		'deny(other_rule, "z") :- question_sets(0).', // 5
		':- initialization(halt).', // 6
		'deny(house_rule, "a") :- packet_too(_).', // 7
		'deny(house_rule, "b") :- packet_to(_, _).', // 8
		'deny(house_rule, "c") :- shell(\'ls\').', // 9
		'deny(house_rule, "d") :- cause(Goal), call(Goal).', // 10
		'packet_to(nobody).', // 11
		'member(a, b).', // 12
		'deny(house_rule, Text) :- packet_to(To).', // 13
		'', // 14
		'flag(house_rule).', // 15
		'user:deny(house_rule, "f").', // 16
		'greeting --> [hello].', // 17
		"deny(house_rule, 'open) :- true.", // 18
	].join('\n');
	expect(await problemsOf(text)).toEqual([
		expect.stringMatching(/^a\.pl:3 error syntax: something is missing/),
		'a.pl:5 error article other_rule is not declared: add article(other_rule, "title", "what it protects").',
		'a.pl:6 error directives are not run in a policy; leave it out',
		expect.stringMatching(/^a\.pl:7 error packet_too\/1 is not known/),
		'a.pl:8 error packet_to/2 is not known; it takes [1] arguments',
		'a.pl:9 error shell/1 is not allowed in a policy',
		expect.stringMatching(/^a\.pl:10 error a variable is called/),
		expect.stringMatching(/^a\.pl:11 error packet_to\/1 is a fact of the packet/),
		expect.stringMatching(/^a\.pl:12 error member\/2 is built in/),
		expect.stringMatching(/^a\.pl:13 warning variable Text stands only once/),
		expect.stringMatching(/^a\.pl:13 warning variable To stands only once/),
		'a.pl:15 error flag takes 2 arguments, not 1',
		expect.stringMatching(/^a\.pl:16 error a policy has no modules/),
		expect.stringMatching(/^a\.pl:17 error grammar rules/),
		expect.stringMatching(/^a\.pl:18 error syntax: a quote is opened and never closed/),
	]);
});

const refused: readonly [string, string, RegExp][] = [
	['halts', 'halt', /halt\/0 is not allowed/],
	['prints', 'write(x)', /write\/1 is not allowed/],
	['formats, which can call goals', 'format("~@", [halt])', /format\/2 is not allowed/],
	['opens a file', "open('/etc/passwd', read, _)", /open\/3 is not allowed/],
	['loads a file', "consult('/etc/passwd')", /consult\/1 is not allowed/],
	['runs JavaScript', 'js_run_script("1")', /js_run_script\/1 is not/],
	['reaches into another module', 'system:halt', /: ?\/2|\(:\)\/2/],
	['changes rules', 'assertz(deny(house_rule, "x"))', /assertz\/1 is not allowed/],
	['keeps a value for later', 'nb_setval(k, 1)', /nb_setval\/2 is not allowed/],
	['catches what stops it', 'catch(fail, _, true)', /catch\/3 is not allowed/],
	['hides a goal in a list walk', 'maplist(halt, [1])', /halt\/1 is not allowed/],
	['hides a goal in a search', 'findall(X, (member(X, [1]), shell(X)), _)', /shell\/1 is not allowed/],
	['hides a goal behind not', '\\+ \\+ shell(ls)', /shell\/1 is not allowed/],
	['hides a goal in a condition', '(true -> true ; shell(ls))', /shell\/1 is not allowed/],
	['hides a goal in a count', 'aggregate_all(count, shell(ls), 0)', /shell\/1 is not allowed/],
	['builds a goal', 'G =.. [shell, ls], G', /variable is called/],
	['hands on a built goal', 'G = halt, maplist(G, [])', /variable is called/],
	['writes a lambda', 'maplist([X]>>halt(X), [1])', /not/],
	['asks for an environment variable', "getenv('HOME', _)", /getenv\/2 is not allowed/],
];
for (const [what, goal, words] of refused) {
	test(`INT-10 a policy that ${what} is refused at the start, by its line`, async () => {
		const problems = await problemsOf(`${start}\ndeny(house_rule, "x") :-\n    ${goal}.\n`);
		expect(problems).toContainEqual(expect.stringMatching(words));
		for (const problem of problems) expect(problem).toMatch(/^a\.pl:3 error /);
	});
}

test('INT-10 files that disagree are refused: an article twice, a helper twice, none at all', async () => {
	const rule = 'deny(house_rule, "x") :- bad(1).\nbad(1).\n';
	expect(await problemsOf(start + rule, start.replace('A rule', 'B rule'))).toEqual([
		'b.pl:1 error article house_rule is already declared in a.pl, line 1',
	]);
	const other = 'article(b, "B", "B.").\ndeny(b, "x") :- bad(2).\nbad(2).\n';
	expect(await problemsOf(start + rule, other)).toEqual([
		'b.pl:3 error bad/1 is already defined in a.pl, line 3; give it another name',
	]);
	expect(await problemsOf('% nothing yet\n')).toEqual([expect.stringContaining('no article is declared')]);
	expect(await problemsOf()).toEqual([expect.stringContaining('no article is declared')]);
	expect(await problemsOf(`${start}end_of_file.\ndeny(house_rule, "x").\n`)).toContainEqual(
		'a.pl:2 error end_of_file stands in the middle: nothing after it would be read',
	);
});

test('INT-10 an article that no rule can break is told, so that it does not protect in name only', async () => {
	expect(await problemsOf(start)).toEqual([expect.stringMatching(/^a\.pl:1 warning article house_rule has no rule/)]);
});

test('INT-10 a rule that nothing uses is told, since that is how a misspelt deny looks', async () => {
	const text = `${start}deny(house_rule, "x") :- question_sets(0).\ndenny(house_rule, "y") :- question_sets(9).\n`;
	expect(await problemsOf(text)).toEqual([expect.stringMatching(/^a\.pl:3 warning nothing uses denny\/2/)]);
});

test('INT-10 a broken file stops the start with file, line and message; until then every packet is denied', async () => {
	const text = `${start}deny(house_rule, "x") :- round_count(N, N > 4.\n`;
	const deps = { policyFiles: [{ name: 'own.pl', text }], log: createMemoryLog(), now: Date.now };
	const governance = createPrologGovernance(deps);
	try {
		const failure = await governance.start().catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(PolicyError);
		expect((failure as PolicyError).message).toMatch(/^own\.pl:2: error: syntax: /m);
		expect((failure as PolicyError).code).toBe('policy_broken');
		expect(await governance.evaluate(packetOf())).toMatchObject({ outcome: 'deny' });
	} finally {
		await governance.close();
	}
});
