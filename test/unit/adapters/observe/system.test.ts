import { expect, test } from 'vitest';
import { createSystemClock } from '../../../../adapters/observe/clock.ts';
import { createSystemRandom } from '../../../../adapters/observe/random.ts';

test('the clock gives epoch milliseconds', () => {
	const before = Date.now();
	const now = createSystemClock().now();
	expect(now).toBeGreaterThanOrEqual(before);
	expect(now).toBeLessThanOrEqual(Date.now());
});

test('ids are URL-safe, start with a letter and do not repeat; numbers lie in [0, 1)', () => {
	const random = createSystemRandom();
	const ids = Array.from({ length: 2_000 }, () => random.id());
	expect(new Set(ids).size).toBe(2_000);
	for (const id of ids) expect(id).toMatch(/^r[A-Za-z0-9_-]{22}$/);
	const numbers = Array.from({ length: 2_000 }, () => random.next());
	expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
	expect(Math.max(...numbers)).toBeLessThan(1);
	expect(new Set(numbers).size).toBeGreaterThan(1_900);
});
