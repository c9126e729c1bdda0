/** Partner of an opening bracket. */
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/**
 * Index after the bracket that closes the one at `start`, minding strings; -1 when it is never closed or brackets cross.
 * A single quote opens a string only where a value may begin, so that apostrophes in words do not.
 */
export function closingIndex(text: string, start: number): number {
	const expected: string[] = [];
	let quote = '';
	for (let at = start; at < text.length; at += 1) {
		const sign = text[at] as string;
		if (quote !== '') {
			if (sign === '\\') at += 1;
			else if (sign === quote) quote = '';
			continue;
		}
		if (sign === '"' || (sign === "'" && /[\s,:=([{]/.test(text[at - 1] ?? ' '))) quote = sign;
		else if (CLOSING[sign] !== undefined) expected.push(CLOSING[sign]);
		else if (sign === '}' || sign === ']' || sign === ')') {
			if (expected.pop() !== sign) return -1;
			if (expected.length === 0) return at + 1;
		}
	}
	return -1;
}
