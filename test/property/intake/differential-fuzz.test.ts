import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ReadFact, readFacts } from '../../../core/intake/prolog/read-facts.ts';
import { asSwiTerm, readWithSwi, spellSwi, swiVersion } from '../../support/swi-prolog.ts';
import { factBlock } from './fact-blocks.ts';

const version = swiVersion();
if (version === undefined) console.log('skipped: no swipl on this machine, so nothing to compare the fact reader with');

/** Blocks and seed can be set to look further than every run does. */
const blocks = Number(process.env['FUZZ_BLOCKS'] ?? 3_000);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_401);

/** The block from the place on where the reader says that the fact begins. */
function from(block: string, { line, column }: ReadFact): string {
	const lines = block.split('\n');
	return [(lines[line - 1] ?? '').slice(column - 1), ...lines.slice(line)].join('\n');
}

const spell = (fact: ReadFact) => spellSwi(asSwiTerm(fact.term));

test.skipIf(version === undefined)(
	`INT-9 CONST-032-005 what our reader keeps, SWI-Prolog reads as the same ground fact: from thousands of spoilt blocks`,
	async () => {
		const samples = fc.sample(factBlock, { numRuns: blocks, seed });
		const kept = samples.flatMap((block) => readFacts(block).facts.map((fact) => ({ block, fact })));
		const clean = samples.filter((block) => {
			const read = readFacts(block);
			return read.facts.length > 0 && read.errors.length === 0;
		});
		// A fuzz in which hardly anything is accepted, or everything, would show nothing.
		expect(kept.length).toBeGreaterThan(blocks / 4);
		expect(clean.length).toBeGreaterThan(blocks / 20);
		expect(clean.length).toBeLessThan(blocks);

		const inPlace = await readWithSwi(kept.map(({ block, fact }) => ({ mode: 'first', text: from(block, fact) })));
		const canonical = await readWithSwi(kept.map(({ fact }) => ({ mode: 'all', text: fact.text })));
		const whole = await readWithSwi(clean.map((text) => ({ mode: 'all', text })));
		const wrong = [
			...kept
				.map(({ block, fact }, place) => ({ what: 'in place', block, ours: spell(fact), swi: inPlace[place] }))
				.filter(({ ours, swi }) => swi?.map(spellSwi).join() !== ours),
			...kept
				.map(({ fact }, place) => ({ what: 'canonical', block: fact.text, ours: spell(fact), swi: canonical[place] }))
				.filter(({ ours, swi }) => swi?.map(spellSwi).join() !== ours),
			...clean
				.map((block, place) => ({
					what: 'whole block',
					block,
					ours: readFacts(block).facts.map(spell).join(),
					swi: whole[place],
				}))
				.filter(({ ours, swi }) => swi?.map(spellSwi).join() !== ours),
		].map((found) => ({ ...found, swi: found.swi?.map(spellSwi).join() }));
		const shortest = wrong.sort((a, b) => a.block.length - b.block.length).slice(0, 5);
		expect(shortest, `seed ${seed}, ${version}, ${wrong.length} disagreements`).toEqual([]);
	},
	600_000,
);

test('INT-9 canonical text is read back as the same facts and gives the same text again', () => {
	fc.assert(
		fc.property(factBlock, (block) => {
			const { facts } = readFacts(block);
			const text = facts.map((fact) => `${fact.text}\n`).join('');
			const again = readFacts(text);
			expect(again.errors).toEqual([]);
			expect(again.facts.map((fact) => fact.text)).toEqual(facts.map((fact) => fact.text));
		}),
		{ numRuns: 500 },
	);
});
