import fc from 'fast-check';
import { PROLOG_INPUTS } from '../../support/prolog-inputs.ts';

/** Signs that mean something to a Prolog reader, or look as if they did. */
const SIGNS = [
	...'.,;:()[]{}|\'"`\\/*%-+<>=?!@#&^~_$ \n\t\r0123456789aexobXZ',
	...'éßøλжאع数字ªⁿ①²٣',
	...[
		'\u00A0',
		'\u200B',
		'\u202E',
		'\uFEFF',
		'\u0301',
		'\u0000',
		'\u007F',
		'\u2028',
		'\u3000',
		'。',
		'“',
		'’',
		'：',
		'（',
		'🛒',
	],
	...[
		'/*',
		'*/',
		':-',
		'-->',
		"0'",
		"''",
		'\\n',
		'\\\n',
		'\\x41\\',
		'1e5',
		'1.0e10',
		'1.5Inf',
		'0x1F',
		'0b1',
		'1r3',
		'1_000',
		'.(',
		'. ',
		'end_of_file.',
	],
];

const words = [
	'a',
	'has_feature',
	'x1',
	'camelCase',
	'größe',
	'naïve',
	'λόγος',
	'цена',
	'is',
	'mod',
	'rem',
	'dynamic',
	'table',
	'div',
	'rdiv',
	'xor',
	'initialization',
];
const quoted = [
	'Mug Shop',
	"it's",
	'say "x"',
	'a\\b',
	'tab\there',
	'',
	'ß 数 🛒',
	'[]',
	'{}',
	'!',
	';',
	',',
	'|',
	'100%',
	'/* no */',
	'Mug',
	'_x',
	'X',
	'9lives',
	'Größe',
	'end_of_file',
	'a.',
	'-1',
];
const numbers = [
	'0',
	'7',
	'-7',
	'007',
	'0.5',
	'-0.25',
	'1.50',
	'1.0e3',
	'2.5E-7',
	'0x1f',
	'999999999999999',
	'00.10',
	'-0',
	'-0.0',
	'1e5',
];

const quote = (mark: string) => (text: string) =>
	`${mark}${text
		.replace(/\\/g, '\\\\')
		.replace(/\n/g, '\\n')
		.replaceAll(mark, mark + mark)}${mark}`;

const atom = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...quoted).map(quote("'")));
const layout = fc.oneof(
	{ weight: 6, arbitrary: fc.constant('') },
	fc.constantFrom(' ', '\n', '\t', ' /* . */ ', ' % x.\n'),
);

const { term } = fc.letrec<{ term: string; list: string; compound: string }>((tie) => ({
	term: fc.oneof(
		{ maxDepth: 4, depthSize: 'small' },
		atom,
		fc.constantFrom(...numbers),
		fc.constantFrom(...quoted).map(quote('"')),
		tie('list'),
		tie('compound'),
	),
	list: fc
		.tuple(layout, fc.array(tie('term'), { maxLength: 3 }), layout)
		.map(([a, items, b]) => `[${a}${items.join(`${b},`)}${a}]`),
	compound: fc
		.tuple(atom, layout, fc.array(tie('term'), { minLength: 1, maxLength: 3 }), layout)
		.map(([name, a, items, b]) => `${name}(${a}${items.join(`,${b}`)}${b})`),
}));

const stop = fc.constantFrom('.\n', '. ', '.\r\n', '.% end\n', ' .\n', '.\t', '.', '.\n\n');
const clause = fc
	.tuple(layout, fc.oneof({ weight: 8, arbitrary: term }, fc.constantFrom(...words)), stop)
	.map((all) => all.join(''));
const corpus = PROLOG_INPUTS.map(({ text }) => text).filter((text) => text.length < 400);

/** Something done to a text: signs put in, taken out, doubled or moved, or another text spliced in. */
const change = fc.record({
	kind: fc.constantFrom('insert', 'insert', 'insert', 'replace', 'delete', 'double', 'swap', 'splice', 'cut'),
	at: fc.nat(10_000),
	length: fc.integer({ min: 1, max: 8 }),
	sign: fc.constantFrom(...SIGNS),
	other: fc.constantFrom(...corpus),
});

function applyChange(
	text: string,
	{ kind, at, length, sign, other }: { kind: string; at: number; length: number; sign: string; other: string },
): string {
	const place = at % (text.length + 1);
	const piece = text.slice(place, place + length);
	const [before, behind, rest] = [text.slice(0, place), text.slice(place), text.slice(place + length)];
	if (kind === 'insert') return before + sign + behind;
	if (kind === 'replace') return before + sign + text.slice(place + 1);
	if (kind === 'delete') return before + rest;
	if (kind === 'double') return before + piece + piece + rest;
	if (kind === 'swap') return before + rest.slice(0, length) + piece + rest.slice(length);
	if (kind === 'splice') return before + other + behind;
	return before;
}

const whole = fc.array(clause, { minLength: 1, maxLength: 4 }).map((clauses) => clauses.join(''));

/** Blocks of facts: some in order, most of them spoilt in a few places. */
export const factBlock: fc.Arbitrary<string> = fc
	.tuple(
		fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: fc.constantFrom(...corpus) }),
		fc.array(change, { maxLength: 4 }),
	)
	.map(([text, changes]) => changes.reduce(applyChange, text))
	// Half a character is no text that could arrive.
	.map((text) => text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, ''));
