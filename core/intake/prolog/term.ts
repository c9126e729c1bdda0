/** A ground Prolog term as the strict reader gives it. */
export type Term =
	| { readonly kind: 'atom'; readonly name: string }
	| { readonly kind: 'string'; readonly value: string }
	/** `lexeme` is canonical: no leading zeros, hexadecimal as decimal. */
	| { readonly kind: 'number'; readonly lexeme: string }
	| { readonly kind: 'list'; readonly items: readonly Term[] }
	| { readonly kind: 'compound'; readonly name: string; readonly args: readonly Term[] };

/** A term that may stand as a fact. */
export type FactTerm = Extract<Term, { kind: 'atom' | 'compound' }>;

const PLAIN = /^[a-z][A-Za-z0-9_]*$/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t' };

function quoted(text: string, mark: "'" | '"'): string {
	const inner = text.replace(/[\\\n\t'"]/g, (sign) => ESCAPES[sign] ?? (sign === mark ? `\\${sign}` : sign));
	return `${mark}${inner}${mark}`;
}

/** An atom as text, quoted unless it is a plain word of ASCII letters. */
function atomText(name: string): string {
	return PLAIN.test(name) ? name : quoted(name, "'");
}

/** One spelling for each term: what is equal reads equal, whatever blanks and quotes the writer used. */
export function termText(term: Term): string {
	switch (term.kind) {
		case 'atom':
			return atomText(term.name);
		case 'string':
			return quoted(term.value, '"');
		case 'number':
			return term.lexeme;
		case 'list':
			return `[${term.items.map(termText).join(',')}]`;
		case 'compound':
			return `${atomText(term.name)}(${term.args.map(termText).join(',')})`;
	}
}

/** Canonical text of a fact, full stop included. */
export function factText(term: FactTerm): string {
	return `${termText(term)}.`;
}

/**
 * Canonical block: each fact once, one a line, sorted by predicate, arity and text, so that all clauses of a predicate stand
 * together. Empty text for no facts; ends with a line break otherwise.
 */
export function factBlock(facts: readonly { predicate: string; arity: number; text: string }[]): string {
	const byText = new Map(facts.map((fact) => [fact.text, fact]));
	const sorted = [...byText.values()].sort(
		(left, right) =>
			compare(left.predicate, right.predicate) || left.arity - right.arity || compare(left.text, right.text),
	);
	return sorted.map(({ text }) => `${text}\n`).join('');
}

function compare(left: string, right: string): number {
	return left < right ? -1 : left > right ? 1 : 0;
}

/** Every atom, string and number inside, in reading order; the predicate's own name not included. */
export function leaves(term: Term): Exclude<Term, { kind: 'list' | 'compound' }>[] {
	if (term.kind === 'list') return term.items.flatMap(leaves);
	if (term.kind !== 'compound') return [term];
	return term.args.flatMap((inner) =>
		inner.kind === 'compound' ? [{ kind: 'atom' as const, name: inner.name }, ...leaves(inner)] : leaves(inner),
	);
}
