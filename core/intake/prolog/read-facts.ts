import { cutText, visible } from '../../chat/sanitise.ts';
import { ClauseError, type ReadError, type ReadErrorCode } from './read-error.ts';
import { type FactTerm, factText, type Term } from './term.ts';
import { nextToken, type Token, type TokenLimits } from './tokens.ts';

export interface ReadLimits extends TokenLimits {
	readonly blockChars: number;
	readonly facts: number;
	readonly args: number;
	readonly depth: number;
}

export const READ_LIMITS: ReadLimits = {
	blockChars: 65_536,
	facts: 500,
	args: 32,
	depth: 16,
	atomChars: 1_024,
	digits: 15,
};

export interface ReadFact {
	readonly term: FactTerm;
	/** Canonical text. */
	readonly text: string;
	readonly line: number;
	readonly column: number;
	/** What a `%` comment behind it on the same line says. */
	readonly comment: string | undefined;
}

export interface ReadResult {
	readonly facts: readonly ReadFact[];
	/** In reading order. */
	readonly errors: readonly ReadError[];
}

/**
 * Reads a block of facts and nothing else: no operators, variables, rules, directives, braces. A bad clause is left out and
 * reading goes on behind its full stop; behind a quote or comment that never ends nothing is read any more. Never throws;
 * takes time linear in the block. The text is only looked at, never run.
 */
export function readFacts(block: string, limits: ReadLimits = READ_LIMITS): ReadResult {
	const facts: ReadFact[] = [];
	const errors: ReadError[] = [];
	const place = placeFinder(block);
	const fail = (code: ReadErrorCode, offset: number, start: number) => {
		const text = cutText(
			visible(block.slice(start, start + 200))
				.split('\n', 1)[0]
				?.trim() ?? '',
			120,
		);
		errors.push({ code, ...place(offset), text });
	};
	if (block.length > limits.blockChars) {
		fail('block_too_long', limits.blockChars, 0);
		return { facts, errors };
	}
	let at = 0;
	while (at < block.length) {
		let start = at;
		try {
			const first = nextToken(block, at, limits);
			if (first.kind === 'eof') break;
			start = first.at;
			if (facts.length >= limits.facts) {
				fail('too_many_facts', start, start);
				break;
			}
			const clause = readClause(block, first, limits);
			facts.push({
				term: clause.term,
				text: factText(clause.term),
				...place(start),
				comment: comment(block, clause.end),
			});
			at = clause.end;
		} catch (error) {
			if (!(error instanceof ClauseError)) throw error;
			fail(error.code, error.offset, start);
			if (error.fatal) break;
			const next = behindClause(block, error.offset, limits);
			if (next.fatal !== undefined) fail(next.fatal.code, next.fatal.offset, next.fatal.offset);
			at = next.at;
		}
	}
	return { facts, errors };
}

/** Line and column from offsets that only grow. */
function placeFinder(block: string) {
	let line = 1;
	let lineStart = 0;
	let seen = 0;
	return (offset: number) => {
		// An error may be found before the place that was asked last; then count anew (once per clause at most).
		if (offset < lineStart) {
			line = 1;
			lineStart = 0;
			seen = 0;
		}
		for (let end = block.indexOf('\n', seen); end >= 0 && end < offset; end = block.indexOf('\n', seen)) {
			line += 1;
			lineStart = end + 1;
			seen = end + 1;
		}
		return { line, column: offset - lineStart + 1 };
	};
}

function comment(block: string, from: number): string | undefined {
	const found = /[ \t]*%([^\r\n]{0,600})/y;
	found.lastIndex = from;
	return found.exec(block)?.[1]?.trim();
}

/** Where to read on after an error: behind the next full stop, seen as the tokens see it. */
function behindClause(block: string, from: number, limits: TokenLimits): { at: number; fatal?: ClauseError } {
	let at = from;
	for (;;) {
		try {
			const token = nextToken(block, at, limits);
			if (token.kind === 'eof') return { at: block.length };
			if (token.kind === 'stop') return { at: token.end };
			if (token.kind === 'bad' && token.code === 'full_width_stop') return { at: token.end };
			at = token.end;
		} catch (error) {
			if (!(error instanceof ClauseError)) throw error;
			// An apostrophe inside or behind a word is no opening quote: only this line is spoilt.
			const isApostrophe = error.code === 'unterminated_quote' && /[\p{L}\p{N}]/u.test(block[error.offset - 1] ?? '');
			if (!isApostrophe) return { at: block.length, fatal: error };
			return { at: behindStoppedLine(block, error.offset) };
		}
	}
}

/** Start of the line after the first one, from here on, that ends with a full stop. */
function behindStoppedLine(block: string, from: number): number {
	for (let at = from; ; ) {
		const end = block.indexOf('\n', at);
		if (end < 0) return block.length;
		if (block.slice(at, end).trimEnd().endsWith('.')) return end + 1;
		at = end + 1;
	}
}

function readClause(block: string, first: Token, limits: ReadLimits): { term: FactTerm; end: number } {
	refuseOpening(block, first);
	const read = readTerm(block, first, limits, 0);
	const next = nextToken(block, read.end, limits);
	if (next.kind !== 'stop') throw afterTerm(block, read.end, next);
	if (read.term.kind !== 'atom' && read.term.kind !== 'compound') throw new ClauseError('not_callable', first.at);
	if (read.term.kind === 'atom' && read.term.name === 'end_of_file') throw new ClauseError('reserved', first.at);
	if (read.term.name === '') throw new ClauseError('reserved', first.at);
	return { term: read.term, end: next.end };
}

/** What stands at the start of a clause tells best what went wrong. */
function refuseOpening(block: string, first: Token): void {
	if (first.kind !== 'bad') return;
	const text = block.slice(first.at, first.end);
	if (first.code === 'rule') throw new ClauseError('directive', first.at);
	if (first.code === 'operator' && /^(?:-{1,2}|\*{1,2}|\+)$/.test(text)) throw new ClauseError('bullet', first.at);
	if (first.code === 'variable' && /^[ \t]*:(?!-)/.test(block.slice(first.end, first.end + 20)))
		throw new ClauseError('label', first.at);
	throw new ClauseError(first.code, first.at);
}

function afterTerm(block: string, end: number, next: Token): ClauseError {
	if (next.kind === 'eof') return new ClauseError('missing_stop', next.at);
	if (next.kind === 'bad') return new ClauseError(next.code, next.at);
	if (next.kind === 'sign' && next.text === ',') return new ClauseError('conjunction', next.at);
	if (next.kind === 'sign' && next.text === '(') return new ClauseError('blank_before_parenthesis', next.at);
	if (next.kind === 'sign') return new ClauseError('unbalanced', next.at);
	return new ClauseError(block.slice(end, next.at).includes('\n') ? 'missing_stop' : 'unexpected', next.at);
}

interface Read {
	readonly term: Term;
	readonly end: number;
}

function readTerm(block: string, token: Token, limits: ReadLimits, depth: number): Read {
	if (depth > limits.depth) throw new ClauseError('too_deep', token.at);
	switch (token.kind) {
		case 'string':
			return { term: { kind: 'string', value: token.text }, end: token.end };
		case 'number':
			return { term: { kind: 'number', lexeme: token.text }, end: token.end };
		case 'name': {
			if (block[token.end] !== '(') return { term: { kind: 'atom', name: token.text }, end: token.end };
			const inner = readItems(block, token.end + 1, ')', limits, depth + 1);
			if (inner.items.length === 0) throw new ClauseError('empty_arguments', token.end);
			return { term: { kind: 'compound', name: token.text, args: inner.items }, end: inner.end };
		}
		case 'sign': {
			if (token.text !== '[') throw new ClauseError(token.text === ',' ? 'unexpected' : 'unbalanced', token.at);
			const inner = readItems(block, token.end, ']', limits, depth + 1);
			return { term: { kind: 'list', items: inner.items }, end: inner.end };
		}
		case 'bad':
			if (block[token.at] === '-' && token.end === token.at + 1 && token.code === 'operator') {
				const number = nextToken(block, token.end, limits);
				if (number.kind === 'number' && number.at === token.end)
					return { term: { kind: 'number', lexeme: `-${number.text}` }, end: number.end };
			}
			throw new ClauseError(token.code, token.at);
		default:
			throw new ClauseError('unbalanced', token.at);
	}
}

function readItems(
	block: string,
	from: number,
	close: ')' | ']',
	limits: ReadLimits,
	depth: number,
): { items: Term[]; end: number } {
	const items: Term[] = [];
	let token = nextToken(block, from, limits);
	if (token.kind === 'sign' && token.text === close) return { items, end: token.end };
	for (;;) {
		if (items.length >= limits.args) throw new ClauseError('too_many_arguments', token.at);
		const read = readTerm(block, token, limits, depth);
		items.push(read.term);
		token = nextToken(block, read.end, limits);
		if (token.kind === 'sign' && token.text === close) return { items, end: token.end };
		if (token.kind !== 'sign' || token.text !== ',') throw insideArguments(token);
		token = nextToken(block, token.end, limits);
	}
}

function insideArguments(token: Token): ClauseError {
	if (token.kind === 'bad') return new ClauseError(token.code, token.at);
	if (token.kind === 'sign' && token.text === '(') return new ClauseError('blank_before_parenthesis', token.at);
	if (token.kind === 'stop' || token.kind === 'eof' || token.kind === 'sign')
		return new ClauseError('unbalanced', token.at);
	return new ClauseError('unexpected', token.at);
}
