import { ClauseError, type ReadErrorCode } from './read-error.ts';

export type Token =
	| {
			readonly kind: 'name';
			readonly at: number;
			readonly end: number;
			readonly text: string;
			readonly quoted: boolean;
	  }
	| { readonly kind: 'string'; readonly at: number; readonly end: number; readonly text: string }
	| { readonly kind: 'number'; readonly at: number; readonly end: number; readonly text: string }
	| { readonly kind: 'sign'; readonly at: number; readonly end: number; readonly text: '(' | ')' | '[' | ']' | ',' }
	/** The full stop that ends a clause. */
	| { readonly kind: 'stop'; readonly at: number; readonly end: number }
	/** Something a fact may not hold. */
	| { readonly kind: 'bad'; readonly at: number; readonly end: number; readonly code: ReadErrorCode }
	| { readonly kind: 'eof'; readonly at: number; readonly end: number };

export interface TokenLimits {
	readonly atomChars: number;
	readonly digits: number;
}

const NAME = /[\p{Ll}](?:[\p{Ll}\p{Lu}0-9_])*/uy;
/** Bare words beyond ASCII are read in these scripts only: there all engines agree on what a letter is. */
const NAME_SCRIPTS = /^[A-Za-z0-9_\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u;
const CAPITAL = /[\p{Lu}\p{Lt}_][\p{L}\p{N}_]*/uy;
const NUMBER = /0x[0-9a-fA-F]+|\d+(?:\.\d+(?:[eE][+-]?\d{1,2}(?!\d))?)?/y;
const SYMBOLS = /[-+*/\\^<>=~:.?@#&$|!;]+/y;
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
const WORD_AFTER = /[\p{L}\p{N}\p{M}_'"`]/u;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\', "'": "'", '"': '"', n: '\n', t: '\t' };

function match(pattern: RegExp, text: string, at: number): string | undefined {
	pattern.lastIndex = at;
	return pattern.exec(text)?.[0];
}

/** First place that is neither blank nor comment. Throws, fatally, on a comment that never ends or holds another. */
function skipLayout(text: string, from: number): number {
	let at = from;
	for (;;) {
		const sign = text[at];
		if (sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r') at += 1;
		else if (sign === '%') {
			const end = text.indexOf('\n', at);
			at = end < 0 ? text.length : end;
		} else if (sign === '/' && text[at + 1] === '*') {
			const end = text.indexOf('*/', at + 2);
			if (end < 0) throw new ClauseError('unterminated_comment', at, true);
			if (text.slice(at + 2, end).includes('/*')) throw new ClauseError('nested_comment', at, true);
			at = end + 2;
		} else return at;
	}
}

/** The token at or after `from`. Linear: each character is looked at a bounded number of times. */
export function nextToken(text: string, from: number, limits: TokenLimits): Token {
	const at = skipLayout(text, from);
	if (at >= text.length) return { kind: 'eof', at: text.length, end: text.length };
	const sign = text[at] as string;
	if (sign === "'" || sign === '"') return quotedToken(text, at, sign, limits);
	if (sign === '(' || sign === ')' || sign === '[' || sign === ']' || sign === ',')
		return { kind: 'sign', at, end: at + 1, text: sign };
	const name = match(NAME, text, at);
	if (name !== undefined) return nameToken(text, at, name, limits);
	const number = match(NUMBER, text, at);
	if (number !== undefined) return numberToken(text, at, number, limits);
	if (match(CAPITAL, text, at) !== undefined)
		return { kind: 'bad', at, end: at + (match(CAPITAL, text, at) as string).length, code: 'variable' };
	const symbols = match(SYMBOLS, text, at);
	if (symbols !== undefined) return symbolToken(text, at, symbols);
	return {
		kind: 'bad',
		at,
		end: at + String.fromCodePoint(text.codePointAt(at) as number).length,
		code: oddCode(text, at),
	};
}

function oddCode(text: string, at: number): ReadErrorCode {
	const sign = String.fromCodePoint(text.codePointAt(at) as number);
	if (sign === '{' || sign === '}') return 'brace';
	if (sign === '`') return 'backquote';
	if (/[“”„‟‘’‚‛«»]/u.test(sign)) return 'curly_quote';
	if (/[。．｡]/u.test(sign)) return 'full_width_stop';
	if (/[•‣◦▪·–—]/u.test(sign)) return 'bullet';
	if (FORBIDDEN.test(sign)) return 'forbidden_character';
	return 'unexpected';
}

function nameToken(text: string, at: number, name: string, limits: TokenLimits): Token {
	const end = at + name.length;
	const bad = (code: ReadErrorCode): Token => ({ kind: 'bad', at, end, code });
	if (!NAME_SCRIPTS.test(name)) return bad('unexpected');
	if (name.length > limits.atomChars) return bad('atom_too_long');
	const next = text[end];
	// A letter the pattern does not know, a combining mark or a quote glued to the word would be read otherwise elsewhere.
	if (next !== undefined && WORD_AFTER.test(String.fromCodePoint(text.codePointAt(end) as number)))
		return bad(next === '`' ? 'backquote' : 'unexpected');
	return { kind: 'name', at, end, text: name, quoted: false };
}

function numberToken(text: string, at: number, lexeme: string, limits: TokenLimits): Token {
	const end = at + lexeme.length;
	const bad = (code: ReadErrorCode): Token => ({ kind: 'bad', at, end, code });
	const next = text[end];
	if (lexeme === '0' && next === "'") return bad('character_code');
	if (next !== undefined && WORD_AFTER.test(next)) return bad('unexpected');
	if (lexeme.startsWith('0x')) {
		if (lexeme.length > 2 + 12) return bad('number_too_long');
		return { kind: 'number', at, end, text: String(Number.parseInt(lexeme.slice(2), 16)) };
	}
	const digits = lexeme.replace(/[eE].*$/, '').replace('.', '').length;
	if (digits > limits.digits) return bad('number_too_long');
	return { kind: 'number', at, end, text: lexeme.replace(/^0+(?=\d)/, '') };
}

function symbolToken(text: string, at: number, symbols: string): Token {
	const end = at + symbols.length;
	const bad = (code: ReadErrorCode): Token => ({ kind: 'bad', at, end, code });
	if (symbols === '.') {
		const next = text[end];
		if (next === undefined || /[\s%]/.test(next)) {
			// Other blanks than these are no layout to every engine.
			const isLayout = next === undefined || ' \t\n\r%'.includes(next);
			return isLayout ? { kind: 'stop', at, end } : bad('forbidden_character');
		}
		return bad('dict_dot');
	}
	if (symbols === ':-' || symbols === '?-' || symbols === '-->') return bad('rule');
	if (symbols === ':') return bad('module_prefix');
	if (symbols === '|') return bad('partial_list');
	return bad('operator');
}

function quotedToken(text: string, at: number, mark: "'" | '"', limits: TokenLimits): Token {
	const pieces: string[] = [];
	let from = at + 1;
	let bad: ReadErrorCode | undefined;
	for (let here = from; ; here += 1) {
		const sign = text[here];
		if (sign === undefined || sign === '\n' || sign === '\r') throw new ClauseError('unterminated_quote', at, true);
		if (sign === '\\') {
			const value = ESCAPED[text[here + 1] ?? ''];
			if (value === undefined) bad ??= 'bad_escape';
			pieces.push(text.slice(from, here), value ?? '');
			// An escaped line end is still a line end: the quote does not go on behind it.
			if (text[here + 1] === '\n' || text[here + 1] === '\r' || text[here + 1] === undefined) continue;
			here += 1;
			from = here + 1;
		} else if (sign === mark && text[here + 1] === mark) {
			pieces.push(text.slice(from, here + 1));
			here += 1;
			from = here + 1;
		} else if (sign === mark) {
			pieces.push(text.slice(from, here));
			return quotedEnd(text, at, here + 1, mark, pieces.join(''), bad, limits);
		}
	}
}

function quotedEnd(
	text: string,
	at: number,
	end: number,
	mark: "'" | '"',
	value: string,
	bad: ReadErrorCode | undefined,
	limits: TokenLimits,
): Token {
	const raw = text.slice(at, end);
	const code =
		bad ??
		(value.length > limits.atomChars ? 'atom_too_long' : FORBIDDEN.test(raw) ? 'forbidden_character' : undefined);
	if (code !== undefined) return { kind: 'bad', at, end, code };
	return mark === "'" ? { kind: 'name', at, end, text: value, quoted: true } : { kind: 'string', at, end, text: value };
}
