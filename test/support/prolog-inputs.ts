/** A block of text that a model may give as facts, and what SWI-Prolog makes of it when it only reads. */
export interface PrologInput {
	readonly name: string;
	readonly text: string;
	/** Facts our reader keeps. */
	readonly kept: number;
	/**
	 * `facts`: every term is ground and callable; `other`: it reads, but a term is a rule, a directive, a variable or a
	 * number; `refused`: a syntax error; `empty`: nothing to read; `varies`: versions and engines differ.
	 */
	readonly swi: 'facts' | 'other' | 'refused' | 'empty' | 'varies';
}

const input = (name: string, text: string, kept: number, swi: PrologInput['swi']): PrologInput => ({
	name,
	text,
	kept,
	swi,
});
const deep = (open: string, middle: string, close: string, times: number) =>
	`${open.repeat(times)}${middle}${close.repeat(times)}`;
const many = (count: number) => Array.from({ length: count }, (_, place) => `has_feature(f${place}).`).join(' ');

/** What models write when they are asked for facts, and what is meant to be misread: the 79 inputs and a few more. */
export const PROLOG_INPUTS: readonly PrologInput[] = [
	input('a plain block', 'project(mug_shop).\nhas_feature(inventory).\nhas_payment(credit_card).\n', 3, 'facts'),
	input('nested lists', 'data_field(product, [name, [price, eur], []]).', 1, 'facts'),
	input('quoted text', "project('Mug Shop: the 2nd').", 1, 'facts'),
	input('a string as argument', 'goal("sell mugs. all of them, 100%").', 1, 'facts'),
	input('no arguments', 'offline.', 1, 'facts'),
	input('numbers', 'budget(-12, 0.5, 1.5e3, 0x1F).', 1, 'facts'),
	input('an open apostrophe', "owner('O).\nhas_feature(a).", 0, 'refused'),
	input('an open double quote', 'owner("O).\nhas_feature(a).', 0, 'refused'),
	input('an apostrophe inside quotes', "owner('O'Brien').\nhas_feature(a).", 1, 'refused'),
	input('an open parenthesis, then a good fact', 'a(1.\nb(2).', 1, 'refused'),
	input('a closing parenthesis too many', 'a(1)).\nb(2).', 1, 'refused'),
	input('no full stop at the end', 'a(1).\nb(2)', 1, 'refused'),
	input('no full stop in the middle', 'a(1)\nb(2).\nc(3).', 1, 'refused'),
	input('a halt directive', ':- halt.', 0, 'other'),
	input('an initialisation directive before a fact', ':- initialization(halt). ok(a).', 1, 'other'),
	input('a rule', 'foo :- bar.', 0, 'other'),
	input('a rule that is true', 'foo(a) :- true.', 0, 'other'),
	input('a grammar rule', 'a --> b.', 0, 'other'),
	input('a query', '?- g.', 0, 'other'),
	input('a character code as argument', "code(0'a).", 0, 'facts'),
	input('a character code alone', "0'a.", 0, 'other'),
	input('a number alone', '123.', 0, 'other'),
	input('a string alone', '"str".', 0, 'other'),
	input('dots between words', 'a.b.c.', 0, 'varies'),
	input('facts without a blank between', 'a(1).b(2).', 0, 'varies'),
	input('braces', '{x}.', 0, 'facts'),
	input('JSON', '{"a": 1}.', 0, 'facts'),
	input('comments', '% note\na(1). /* more */ b(2). % end', 2, 'facts'),
	input('a full stop in a comment', '% a. b.\na(1).', 1, 'facts'),
	input('an open comment after a fact', 'a(1).\n/* open\nb(2).', 1, 'refused'),
	input('a comment in a comment', '/* a /* b */ c */ d(1).', 0, 'varies'),
	input('bare words beyond ASCII', 'size(größe, 10).', 1, 'facts'),
	input('bare words in another script', 'größe(数量).', 0, 'facts'),
	input('quoted words in any script', "project('数量 🛒 größe').", 1, 'facts'),
	input('a capital functor', 'Has_feature(x).', 0, 'refused'),
	input('a number as functor', '123(x).', 0, 'refused'),
	input('a doubled apostrophe', "owner('it''s').", 1, 'facts'),
	input('an escaped apostrophe', "owner('it\\'s').", 1, 'facts'),
	input('escaped backslashes', "path('C:\\\\Users').", 1, 'facts'),
	input('a backslash before a capital', "path('C:\\Users').", 0, 'refused'),
	input('an unknown escape', "path('a\\qb').", 0, 'refused'),
	input('a line break inside quotes', "note('a\nb').\nc(1).", 0, 'varies'),
	input('prose with an apostrophe behind', "a(1).\nThat's all.", 1, 'refused'),
	input('prose before', 'Here are the facts:\na(1).', 0, 'refused'),
	input('a label with the field name', 'PROLOG_FACTS: a(1).', 0, 'other'),
	input('a label', 'Note: a(1).', 0, 'other'),
	input('nothing', '', 0, 'empty'),
	input('only a comment', '% nothing to say', 0, 'empty'),
	input('a fence', '```prolog\na(1).\n```', 0, 'refused'),
	input('bullets of hyphens', '- a(1).\n- b(2).', 0, 'facts'),
	input('bullets of stars', '* a(1).\n* b(2).', 0, 'refused'),
	input('a numbered list', '1. a(1).\n2. b(2).', 2, 'other'),
	input('an atom of 200 000 characters', `a('${'x'.repeat(200_000)}').`, 0, 'facts'),
	input('a line of 12 000 facts', many(12_000), 0, 'facts'),
	input('a term 10 000 deep', `${deep('f(', 'x', ')', 10_000)}.`, 0, 'facts'),
	input('a list 10 000 deep', `a(${deep('[', 'x', ']', 10_000)}).`, 0, 'facts'),
	input('parentheses 10 000 deep', `a(${deep('(', 'x', ')', 10_000)}).`, 0, 'facts'),
	input('10 000 signs', `a(${'- '.repeat(10_000)}1).`, 0, 'facts'),
	input('a variable', 'needs(X, inv).', 0, 'other'),
	input('an equation', 'price = 30.', 0, 'facts'),
	input('arithmetic', 'x is 3.', 0, 'facts'),
	input('a conjunction', 'a,b.', 0, 'facts'),
	input('a disjunction', 'a;b.', 0, 'facts'),
	input('a hyphen in a word', 'project(my-app).', 0, 'facts'),
	input('a date', 'deadline(2026-12-01).', 0, 'facts'),
	input('a module prefix', 'user:role(admin).', 0, 'facts'),
	input('an early end of file', 'a(1).\nend_of_file.\nb(2).', 2, 'facts'),
	input('a new operator', ':- op(700, xfx, =>). a => b.', 0, 'other'),
	input('empty parentheses', 'p().', 0, 'facts'),
	input('an empty argument', 'p(a,).', 0, 'refused'),
	input('two bars', 'p([a|b|c]).', 0, 'refused'),
	input('two strings side by side', 'p("a" "b").', 0, 'refused'),
	input('a blank before the parenthesis', 'a (1).', 0, 'refused'),
	input('back quotes', 'p(`abc`).', 0, 'facts'),
	input('a dangerous predicate', "shell('id').", 1, 'facts'),
	input('DOS line ends', 'a(1).\r\nb(2).\r\n', 2, 'facts'),
	input('a byte order mark', '\uFEFFa(1).', 0, 'varies'),
	input('a no-break space between', 'a(1).\u00A0b(2).', 0, 'varies'),
	input('a zero-width space', 'a(1).\n\u200Bb(2).', 1, 'refused'),
	input('a zero character', 'a(1).\nb(\u0000).', 1, 'varies'),
	input('curly quotes', 'name(“Mug Shop”).\na(1).', 1, 'varies'),
	input('a direction override in an atom', "name('a\u202Eb').\na(1).", 1, 'varies'),
	input('an open quote before many backslashes', `a('${'\\\\'.repeat(30)}`, 0, 'refused'),
	input('a number of 5 000 digits', `a(${'7'.repeat(5_000)}).`, 0, 'facts'),
];
