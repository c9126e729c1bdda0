import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPolicies } from '../../../adapters/governance/check-policies.ts';
import { FACT_PREDICATES } from '../../../adapters/governance/fact-vocabulary.ts';
import { readPolicyFolder } from '../../../adapters/governance/policy-folder.ts';
import { createPrologGovernance, type PrologGovernance } from '../../../adapters/governance/prolog.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { packetOf } from './packet.ts';

const page = readFileSync('docs/governance.md', 'utf8');
/** The article that the page walks its reader through. */
const pageArticle = /```prolog\n% config\/governance\/house\.pl\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

let governance: PrologGovernance;

beforeAll(async () => {
	governance = createPrologGovernance({
		policyFiles: [
			...readPolicyFolder('config/governance'),
			...readPolicyFolder('config/governance/examples'),
			{ name: 'house.pl', text: pageArticle },
		],
		log: createMemoryLog(),
		now: Date.now,
		limits: { wallMs: 20_000 },
	});
	await governance.start();
});
afterAll(async () => await governance.close());

const verdictFor = async (...facts: string[]) => await governance.evaluate(packetOf({ facts }));

test('INT-10 an example article keeps back card payment without its rules, and lets it go once they are named', async () => {
	const verdict = await verdictFor('has_payment(credit_card)');
	expect(verdict).toMatchObject({
		outcome: 'deny',
		findings: [{ article: 'card_payment_regulated', severity: 'deny' }],
	});
	expect(verdict.findings[0]?.reason).toContain('Card payment (credit_card) is wanted');
	expect(await verdictFor('has_payment(credit_card)', "compliance('PCI DSS')")).toMatchObject({ outcome: 'allow' });
	expect(await verdictFor('has_payment(invoice)')).toMatchObject({ outcome: 'allow' });
});

test('INT-10 an example article marks stored card data and lets it go on', async () => {
	const verdict = await verdictFor("stores('VISA card numbers')", "compliance('PCI DSS')");
	expect(verdict).toMatchObject({
		outcome: 'flag',
		findings: [{ article: 'card_payment_regulated', severity: 'flag' }],
	});
});

test('INT-10 the article written by following the page works as the page says', async () => {
	expect(pageArticle).toContain('article(');
	const denied = await verdictFor('has_feature(shop)', 'deadline(tomorrow)');
	expect(denied).toMatchObject({ outcome: 'deny', findings: [{ article: 'no_rush_jobs' }] });
	expect(await verdictFor('has_feature(shop)', 'deadline(spring)')).toMatchObject({ outcome: 'allow' });
	const flagged = await verdictFor('has_feature(shop)', 'team(1)');
	expect(flagged).toMatchObject({ outcome: 'flag', findings: [{ article: 'no_rush_jobs', severity: 'flag' }] });
});

test('INT-10 the example gives way to nothing built in: the constitution still holds beside it', async () => {
	const verdict = await governance.evaluate(packetOf({ metadata: ["packet_to('U:PM')."] }));
	expect(verdict.outcome).toBe('deny');
});

test('INT-10 the page lists every fact that a rule can ask for, and nothing else', () => {
	const table = [...page.matchAll(/^\| `([a-z_]+)\(([^)`]*)\)`/gm)].map(
		([, name, args = '']) => `${name}/${args.split(',').length}`,
	);
	expect(table.sort()).toEqual(FACT_PREDICATES.map((fact) => `${fact.name}/${fact.arity}`).sort());
});

test('INT-10 the page lists only predicates that a policy may use', async () => {
	const list = /<!-- allowed -->([\s\S]*?)<!-- \/allowed -->/.exec(page)?.[1] ?? '';
	const names = [...list.matchAll(/`([^`\s]+)\/(\d)`/g)];
	expect(names.length).toBeGreaterThan(60);
	const goals = names.map(([, name = '', arity]) => {
		const args = Array.from({ length: Number(arity) }, (_, place) => `A${place}`);
		return args.length === 0 ? name : `'${name.replace('\\', '\\\\')}'(${args.join(', ')})`;
	});
	const rules = goals.map((goal) => `deny(a, [${[...goal.matchAll(/A\d/g)].join(', ')}]) :- ${goal}.`);
	const report = await checkPolicies([{ name: 'all.pl', text: `article(a, "A", "A.").\n${rules.join('\n')}\n` }]);
	expect(report).toMatchObject({ ok: true });
});
