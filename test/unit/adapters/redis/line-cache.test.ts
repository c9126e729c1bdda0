import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLineCache } from '../../../../adapters/redis/line-cache.ts';

describe('cache of parsed lines', () => {
	test('OVR-33 a line that was there at the last reading is not parsed again, others are', () => {
		const cache = createLineCache<string>(2);
		const parsed: string[] = [];
		const parse = (line: string) => {
			parsed.push(line);
			return line === 'bad' ? undefined : line.toUpperCase();
		};
		expect(cache.read('den', ['a', 'bad', 'b'], parse)).toEqual(['A', 'B']);
		expect(cache.read('den', ['b', 'c'], parse)).toEqual(['B', 'C']);
		expect(cache.read('attic', ['c'], parse)).toEqual(['C']);
		expect(cache.read('den', ['a'], parse)).toEqual(['A']);
		expect(parsed).toEqual(['a', 'bad', 'b', 'c', 'c', 'a']);
	});

	test('OVR-33 what is read is what parsing each line gives, whatever was read before, in bounded memory', () => {
		const reading = fc.record({
			list: fc.constantFrom('a', 'b', 'c', 'd'),
			lines: fc.array(fc.constantFrom('1', '2', '3', '4')),
		});
		fc.assert(
			fc.property(fc.array(reading), (readings) => {
				const cache = createLineCache<{ line: string }>(2);
				for (const { list, lines } of readings)
					expect(cache.read(list, lines, (line) => ({ line }))).toEqual(lines.map((line) => ({ line })));
			}),
		);
	});
});
