import { describe, expect, test } from 'vitest';
import { createLoginLockout } from '../../../../adapters/http/login-lockout.ts';
import { createRateLimit } from '../../../../adapters/http/rate-limit.ts';
import { createSessionBook, SESSION_MS } from '../../../../adapters/http/session-book.ts';

function watch() {
	let now = 1_000_000;
	return { now: () => now, pass: (ms: number) => (now += ms) };
}

describe('login lockout', () => {
	test('OPS-6 waits double from one minute to one hour and no further', () => {
		const clock = watch();
		const lockout = createLoginLockout(clock);
		const waits: number[] = [];
		for (let round = 0; round < 13; round++) {
			lockout.failed('a');
			waits.push(lockout.waitMs('a') / 60_000);
			clock.pass(lockout.waitMs('a') + 600_000);
		}
		expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
	});

	test('OPS-6 one address does not lock another; guesses from many lock all for a while', () => {
		const clock = watch();
		const lockout = createLoginLockout(clock);
		for (let round = 0; round < 8; round++) lockout.failed('a');
		expect(lockout.waitMs('b')).toBe(0);
		for (let round = 0; round < 42; round++) lockout.failed(`host ${round}`);
		expect(lockout.waitMs('b')).toBe(60_000);
		clock.pass(60_000);
		expect(lockout.waitMs('b')).toBe(0);
	});

	test('OPS-6 success and a day of quiet forget', () => {
		const clock = watch();
		const lockout = createLoginLockout(clock);
		for (let round = 0; round < 4; round++) lockout.failed('a');
		lockout.succeeded('a');
		lockout.failed('a');
		expect(lockout.waitMs('a')).toBe(0);
		for (let round = 0; round < 4; round++) lockout.failed('b');
		clock.pass(24 * 3_600_000);
		lockout.failed('b');
		expect(lockout.waitMs('b')).toBe(0);
	});
});

describe('rate limit', () => {
	test('OPS-17 a bucket fills steadily, never above its brim, and is one address’s own', () => {
		const clock = watch();
		const rate = createRateLimit(clock, { burst: 2, perSecond: 4 });
		expect([rate.take('a'), rate.take('a'), rate.take('a'), rate.take('b')]).toEqual([0, 0, 250, 0]);
		clock.pass(250);
		expect([rate.take('a'), rate.take('a')]).toEqual([0, 250]);
		clock.pass(3_600_000);
		expect([rate.take('a'), rate.take('a'), rate.take('a')]).toEqual([0, 0, 250]);
	});

	test('OPS-17 a clock that goes back locks nobody out', () => {
		const clock = watch();
		const rate = createRateLimit(clock, { burst: 1, perSecond: 1 });
		rate.take('a');
		clock.pass(-3_600_000);
		expect(rate.take('a')).toBe(1_000);
		clock.pass(1_000);
		expect(rate.take('a')).toBe(0);
	});
});

describe('session book', () => {
	test('OPS-6 logins end by time, by closing, and the oldest when there are too many', () => {
		const clock = watch();
		const book = createSessionBook(clock);
		const ids = Array.from({ length: 101 }, () => book.open());
		expect(book.isOpen(ids[0])).toBe(false);
		expect(book.isOpen(ids[1])).toBe(true);
		book.close(ids[1]);
		expect(book.isOpen(ids[1])).toBe(false);
		clock.pass(SESSION_MS);
		expect(book.isOpen(ids[100])).toBe(false);
		expect(book.isOpen(undefined)).toBe(false);
	});
});
