import { afterAll, beforeAll, expect, test } from 'vitest';
import { FACT_PREDICATES } from '../../../adapters/governance/fact-vocabulary.ts';
import { readPolicyFolder } from '../../../adapters/governance/policy-folder.ts';
import { createPrologGovernance, type PrologGovernance } from '../../../adapters/governance/prolog.ts';
import { DEFAULT_PREDICATES } from '../../../config/intake-predicates.ts';
import { governanceInput } from '../../../core/intake/handoff/governance-facts.ts';
import { type HandoffPacket, handoffPacket } from '../../../core/intake/handoff-packet.ts';
import { readFacts } from '../../../core/intake/prolog/read-facts.ts';
import { factBlock } from '../../../core/intake/prolog/term.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';

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

const evidence = [{ turnId: 't1', messageId: 'm1', quote: 'as I said' }];

/** A packet as the machine builds it, holding these facts. */
function packetWith(block: string, change: Partial<HandoffPacket['body']> = {}): HandoffPacket {
	const facts = readFacts(block).facts.map(({ term, text }) => ({
		predicate: term.name,
		arity: term.kind === 'compound' ? term.args.length : 0,
		text,
	}));
	return handoffPacket.parse({
		schema_version: 1,
		id: 's1-p1',
		label: '[Cx>BA:49:01]',
		from: 'U:Cx',
		to: 'U:BA',
		subject: 'requirements',
		sessionId: 's1',
		at: 0,
		body: {
			TASK_SUMMARY: 'A shop.',
			PROJECT_NAME: 'shop',
			PROLOG_FACTS: factBlock(facts),
			UI_REQUIREMENTS: false,
			CONVERSATION_HISTORY: [],
			ESCALATE_TO: null,
			display_name: 'Shop',
			facts_hash: 'h',
			intent_hash: 'h',
			requirements: facts.map(({ text }, at) => ({ id: `R${at + 1}`, text, dimension: 'D1', fact: text, evidence })),
			excluded_facts: [],
			not_used: [],
			dimensions: {
				D1: 'answered',
				D2: 'answered',
				D3: 'answered',
				D4: 'answered',
				D5: 'deferred',
				D6: 'answered',
				D7: 'answered',
			},
			missing_info: [],
			trigger: 'complete',
			cause: 'signal',
			round_count: 3,
			stand_ins: [],
			requires_escalation: false,
			...change,
		},
	});
}

const awkward = [
	"project('Mug Shop: the 2nd, O\\'Brien & Söhne').",
	'goal("sell \\"mugs\\". all of them\\nand more").',
	'budget(-12, 0.50, eur).',
	'users_expected(1.5e3).',
	"data_field(product, [name, [price, '€'], []]).",
	'size(größe).',
	"constraint('数量 🛒').",
	"has_feature('\\\\ % /* ').",
	'offline.',
	"has_feature(deny(x, y)). has_feature(':-'). has_feature([]). has_feature('[]'). has_feature({}). has_feature('{}').",
].join('\n');

test('INT-10 CONST-032-007 the rules understand every fact that the machine states, whatever the person called things', async () => {
	expect(readFacts(awkward).facts.length).toBeGreaterThan(12);
	const verdict = await governance.evaluate(governanceInput(packetWith(awkward), 2));
	expect(verdict).toMatchObject({ outcome: 'allow', findings: [] });
});

test('INT-10 every kind of fact in the vocabulary, with every number of arguments, reaches the rules', async () => {
	const block = Object.entries(DEFAULT_PREDICATES)
		.flatMap(([name, { arities }]) => arities.map((arity) => `${name}(${Array(arity).fill('x').join(', ')}).`))
		.filter((line) => !/^(depends_on|out_of_scope)/.test(line))
		.join('\n');
	const verdict = await governance.evaluate(governanceInput(packetWith(block), 2));
	expect(verdict).toMatchObject({ outcome: 'allow', findings: [] });
});

test('INT-10 a packet without facts, forced, with stand-ins and a person asked for is marked on each count', async () => {
	const packet = packetWith('', {
		trigger: 'forced',
		cause: 'round_limit',
		round_count: 4,
		stand_ins: ['summary', 'name'],
		requires_escalation: true,
	});
	const verdict = await governance.evaluate(governanceInput(packet, 3));
	expect(verdict.outcome).toBe('flag');
	expect(verdict.findings.map((finding) => finding.article)).toEqual([
		'nothing_known',
		'written_by_code',
		'written_by_code',
		'human_wanted',
	]);
});

test('INT-10 the vocabulary of the rules is what the machine states, no more and no less', () => {
	const input = governanceInput(packetWith('a(1).', { stand_ins: ['all'] }), 2);
	const stated = readFacts(input.metadata).facts.map(
		({ term }) => `${term.name}/${term.kind === 'compound' ? term.args.length : 0}`,
	);
	const known = FACT_PREDICATES.map(({ name, arity }) => `${name}/${arity}`).filter((name) => name !== 'requirement/1');
	expect([...new Set(stated)].sort()).toEqual(known.sort());
});

test('INT-10 CONST-032-008 CONST-032-011 what the machine should never have built does not leave', async () => {
	const articles = async (packet: HandoffPacket, sets: number) =>
		(await governance.evaluate(governanceInput(packet, sets))).findings.map((finding) => finding.article);
	expect(await articles(packetWith('a(1).'), 0)).toContain('first_call_asks');
	expect(await articles(packetWith('a(1).', { round_count: 5 }), 3)).toContain('rounds_within_limit');
	expect(await articles(packetWith('a(1).', { PROLOG_FACTS: 'b(1).\n' }), 2)).toContain('facts_grounded');
});
