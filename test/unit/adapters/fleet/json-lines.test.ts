import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonLines } from '../../../../adapters/fleet/json-lines.ts';

function read(bytes: Uint8Array, cuts: readonly number[]): { values: unknown[]; garbage: string[] } {
	const values: unknown[] = [];
	const garbage: string[] = [];
	const feed = createJsonLines(
		(value) => values.push(value),
		(line) => garbage.push(line),
	);
	const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((left, right) => left - right);
	let from = 0;
	for (const place of places) {
		feed(bytes.subarray(from, place));
		from = place;
	}
	return { values, garbage };
}

test('FLT-3 lines come out whole however the bytes are cut, line separators inside texts included', () => {
	const words = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('a\u2028b\u2029c\u0085d')));
	fc.assert(
		fc.property(words, fc.array(fc.nat()), (texts, cuts) => {
			const bytes = new TextEncoder().encode(texts.map((text) => `${JSON.stringify({ text })}\r\n`).join(''));
			expect(read(bytes, cuts)).toEqual({ values: texts.map((text) => ({ text })), garbage: [] });
		}),
	);
});

test('FLT-3 a line that is no JSON is told apart and spoils no other', () => {
	const bytes = new TextEncoder().encode('{"a":1}\nWarning: odd\n\n{"b":2}\n{"half":');
	expect(read(bytes, [3, 9])).toEqual({ values: [{ a: 1 }, { b: 2 }], garbage: ['Warning: odd'] });
});
