import { describe, expect, test } from 'vitest';
import { READ_LIMITS, readFacts } from '../../../../../core/intake/prolog/read-facts.ts';
import { factBlock, factText } from '../../../../../core/intake/prolog/term.ts';
import { CORPUS } from './prolog-corpus.ts';

describe('INT-9 P05 CONST-032-005 corpus', () => {
	test.each(CORPUS.map((one) => [one.name, one] as const))('INT-9 %s', (_, { text, kept, code }) => {
		const read = readFacts(text);
		expect(read.facts.map((fact) => fact.text)).toEqual(kept);
		expect(read.errors[0]?.code).toBe(code);
	});

	test('INT-9 the corpus has the 79 inputs and more', () => {
		expect(CORPUS.length).toBeGreaterThanOrEqual(79);
		expect(new Set(CORPUS.map(({ text }) => text)).size).toBe(CORPUS.length);
	});
});

test('INT-9 P05 CONST-032-005 bad clauses go one by one, each with line, column and code; good ones stay', () => {
	const read = readFacts(`has_feature(inventory).
requires(UserLogin).
project(my-app).
deadline(2026-12-01).
owner('O'Brien').
has_feature(a)
has_feature(b).
:- shell('touch x').
admin(X) :- true.
has_feature(a), has_feature(b).
- has_feature(cart).
HasFeature(search).
name(“Mug Shop”).
note("a % sign and a . dot: it's fine").
size(größe, 10).
/* open comment
has_payment(credit_card).`);
	expect(read.facts.map(({ text }) => text)).toEqual([
		'has_feature(inventory).',
		'note("a % sign and a . dot: it\'s fine").',
		"size('größe',10).",
	]);
	expect(read.errors.map(({ line, code }) => [line, code])).toEqual([
		[2, 'variable'],
		[3, 'operator'],
		[4, 'operator'],
		[5, 'variable'],
		[7, 'missing_stop'],
		[8, 'directive'],
		[9, 'variable'],
		[10, 'conjunction'],
		[11, 'bullet'],
		[12, 'variable'],
		[13, 'curly_quote'],
		[16, 'unterminated_comment'],
	]);
	expect(read.errors[0]).toMatchObject({ column: 10, text: 'requires(UserLogin).' });
});

test('INT-9 text inside a clause that is not read never becomes a fact', () => {
	for (const text of [
		'admin(X) :-\n  user(X),\n  trusted(bob).',
		'foo("x" \'a. b(c). d\').',
		"foo(X, 'text\n looks(like). a fact').\n",
		"foo(X, 'text.\nlooks(like).\n').",
		'foo(X :-\n bar(a).',
	])
		expect(readFacts(text).facts, text).toEqual([]);
});

test('INT-9 a comment behind a fact on its line is given along', () => {
	expect(readFacts('a(b). % "said so"\nc(d).').facts.map(({ comment }) => comment)).toEqual(['"said so"', undefined]);
});

describe('INT-9 limits', () => {
	const limit = (over: Partial<typeof READ_LIMITS>, text: string) =>
		readFacts(text, { ...READ_LIMITS, ...over }).errors[0]?.code;

	test('INT-9 block, facts, arguments, depth, atoms and digits are bounded', () => {
		expect(limit({ blockChars: 5 }, 'a(b). ')).toBe('block_too_long');
		expect(limit({ facts: 1 }, 'a(b). c(d).')).toBe('too_many_facts');
		expect(limit({ args: 2 }, 'a(b,c,d).')).toBe('too_many_arguments');
		expect(limit({ args: 2 }, 'a([b,c,d]).')).toBe('too_many_arguments');
		expect(limit({ depth: 2 }, 'a(b(c(d))).')).toBe('too_deep');
		expect(limit({ atomChars: 2 }, 'abc.')).toBe('atom_too_long');
		expect(limit({ digits: 2 }, 'a(1.23).')).toBe('number_too_long');
	});

	test('INT-9 time grows with the block, not faster', () => {
		const hostile = ["a('", '/*', '(', "'O'", 'a(', '%', ') ', 'X,', '\\\\', '- ', '.', '. ', 'a(b). ', '/* */'];
		for (const piece of hostile) {
			const text = piece.repeat(Math.floor(200_000 / piece.length));
			const start = process.cpuUsage().user;
			readFacts(text, { ...READ_LIMITS, blockChars: 300_000, facts: 1_000_000 });
			expect((process.cpuUsage().user - start) / 1_000, piece).toBeLessThan(4_000);
		}
	}, 60_000);

	test('INT-9 a line of twelve thousand facts is read', () => {
		const text = 'has_feature(x). '.repeat(12_000);
		expect(readFacts(text, { ...READ_LIMITS, blockChars: 300_000, facts: 20_000 }).facts).toHaveLength(12_000);
	});
});

test('INT-9 canonical text is one spelling, and reads as what it was', () => {
	const spellings = ['a( \'b\' ,"c",[ 1 , 02 ] ) .', 'a(b,"c",[1,2]).', 'a(b,"c",[1,2]). % same'];
	const texts = spellings.map((text) => readFacts(text).facts[0]?.text);
	expect(new Set(texts)).toEqual(new Set(['a(b,"c",[1,2]).']));
	for (const { kept } of CORPUS)
		for (const text of kept) expect(readFacts(text).facts.map(({ term }) => factText(term))).toEqual([text]);
});

test('INT-9 a canonical block has each fact once and all clauses of a predicate together', () => {
	const facts = readFacts('b(1). a(1,2). a(z). b(1). a(1).').facts.map(({ text, term }) => ({
		text,
		predicate: term.name,
		arity: term.kind === 'compound' ? term.args.length : 0,
	}));
	expect(factBlock(facts)).toBe('a(1).\na(z).\na(1,2).\nb(1).\n');
	expect(factBlock([])).toBe('');
});
