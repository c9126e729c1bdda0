import { expect, test } from 'vitest';
import { decideRetryMs, defaultRetryTiming } from '../../../../adapters/home/retry-plan.ts';

test('H02 a refused token is tried again after 30 s, doubling to 5 min, then not at all', () => {
	const waits = [1, 2, 3, 4, 5, 6].map((failures) => decideRetryMs('auth', failures, defaultRetryTiming));
	expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, undefined, undefined]);
	const patient = { ...defaultRetryTiming, authTries: 9 };
	expect(decideRetryMs('auth', 8, patient)).toBe(300_000);
});

test('H01 a lost connection is tried for ever, never more than half a minute apart', () => {
	const waits = [1, 2, 3, 6, 7, 10_000].map((failures) => decideRetryMs('lost', failures, defaultRetryTiming));
	expect(waits).toEqual([1_000, 2_000, 4_000, 30_000, 30_000, 30_000]);
});
