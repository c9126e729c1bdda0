import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_PREDICATES } from '../../../config/intake-predicates.ts';
import { factsPl } from '../../../core/intake/handoff/files.ts';
import type { HandoffPacket } from '../../../core/intake/handoff-packet.ts';
import { readFacts } from '../../../core/intake/prolog/read-facts.ts';
import { factBlock } from '../../../core/intake/prolog/term.ts';
import { messagesOfSwi, swiVersion } from '../../support/swi-prolog.ts';

const version = swiVersion();
if (version === undefined) console.log('skipped: no swipl on this machine, so no facts.pl can be loaded with it');

/** The file of a packet with these facts. */
function fileOf(block: string): string {
	const facts = readFacts(block).facts.map(({ term, text }) => ({
		predicate: term.name,
		arity: term.kind === 'compound' ? term.args.length : 0,
		text,
	}));
	return factsPl({ id: 's1-p1', body: { PROLOG_FACTS: factBlock(facts), facts_hash: 'h' } } as HandoffPacket);
}

const value = fc.constantFrom(
	'inventory',
	"'Mug Shop'",
	'"a string"',
	'-3',
	'0.5',
	"[a, 'B']",
	'f(x)',
	'größe',
	"'it\\'s'",
);
const fact = fc.constantFrom(...Object.entries(DEFAULT_PREDICATES)).chain(([name, { arities }]) =>
	fc
		.constantFrom(...arities)
		.chain((arity) => fc.array(value, { minLength: arity, maxLength: arity }))
		.map((values) => (values.length === 0 ? `${name}.` : `${name}(${values.join(', ')}).`)),
);

test.skipIf(version === undefined)(
	'INT-9 facts.pl with facts of every known kind and arity, in any order, loads in SWI-Prolog without a message',
	() => {
		const every = Object.entries(DEFAULT_PREDICATES).flatMap(([name, { arities }]) =>
			arities.flatMap((arity) =>
				['a', 'z'].map((first) => `${name}(${[first, 'm', 'm'].slice(0, arity).join(', ')}).`),
			),
		);
		expect(messagesOfSwi(fileOf(every.join('\n')))).toBe('');
		const samples = fc.sample(fc.array(fact, { minLength: 1, maxLength: 40 }), { numRuns: 15, seed: 7 });
		for (const facts of samples) expect(messagesOfSwi(fileOf(facts.join('\n'))), facts.join('\n')).toBe('');
		expect(messagesOfSwi(fileOf(''))).toBe('');
	},
	300_000,
);

test.skipIf(version === undefined)('INT-9 P05 a file that SWI-Prolog has something to say about is noticed', () => {
	expect(messagesOfSwi('a(1).\nb(1).\na(2).\n')).toMatch(/not together/);
	expect(messagesOfSwi("a('O'Brien').\n")).toMatch(/[Ss]yntax error/);
	expect(messagesOfSwi('append(a, b, c).\nwrite(a).\n')).toMatch(/[Nn]o permission/);
});
