import { expect, test } from 'vitest';
import { readFacts } from '../../../core/intake/prolog/read-facts.ts';
import { PROLOG_INPUTS } from '../../support/prolog-inputs.ts';
import {
	asSwiTerm,
	isGroundCallable,
	readWithSwi,
	type SwiRead,
	spellSwi,
	swiVersion,
} from '../../support/swi-prolog.ts';

const version = swiVersion();
if (version === undefined) console.log('skipped: no swipl on this machine, so nothing to compare the fact reader with');

/** Rules, directives, grammar rules and queries read as compounds; for a fact they are of another kind. */
const RULES = new Set([':-', '?-', '-->', '=>']);

function verdictOf(read: SwiRead): string {
	if (read.length === 0) return 'empty';
	if (read.includes('error')) return 'refused';
	const isFact = read.every(
		(term) => term !== 'error' && isGroundCallable(term) && !('c' in term && RULES.has(term.c[0] ?? '')),
	);
	return isFact ? 'facts' : 'other';
}

test.skipIf(version === undefined)(
	'INT-9 CONST-032-005 SWI-Prolog reads each of the 79 inputs as the table says',
	async () => {
		const blocks = PROLOG_INPUTS.map(({ text }) => ({ mode: 'all' as const, text }));
		const reads = await readWithSwi(blocks);
		const wrong = PROLOG_INPUTS.flatMap(({ name, swi }, place) => {
			const said = verdictOf(reads[place] ?? []);
			return swi === 'varies' || swi === said ? [] : [`${name}: SWI says ${said}, the table ${swi}`];
		});
		expect(wrong).toEqual([]);
	},
	300_000,
);

test.skipIf(version === undefined)(
	'INT-9 P05 each fact kept from the 79 inputs is the very term that SWI-Prolog reads there',
	async () => {
		const kept = PROLOG_INPUTS.flatMap(({ name, text }) => readFacts(text).facts.map((fact) => ({ name, fact, text })));
		expect(kept.length).toBeGreaterThan(30);
		const reads = await readWithSwi(kept.map(({ fact }) => ({ mode: 'all', text: fact.text })));
		const wrong = kept.filter(
			({ fact }, place) => reads[place]?.map(spellSwi).join() !== spellSwi(asSwiTerm(fact.term)),
		);
		expect(wrong).toEqual([]);
	},
	300_000,
);

test('INT-9 CONST-032-005 our reader keeps from each of the 79 inputs what the table says', () => {
	expect(PROLOG_INPUTS.length).toBeGreaterThanOrEqual(79);
	const wrong = PROLOG_INPUTS.flatMap(({ name, text, kept }) => {
		const found = readFacts(text).facts.length;
		return found === kept ? [] : [`${name}: kept ${found}, not ${kept}`];
	});
	expect(wrong).toEqual([]);
});
