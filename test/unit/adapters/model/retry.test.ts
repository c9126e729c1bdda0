import { expect, test } from 'vitest';
import { createDeadline } from '../../../../adapters/model/deadline.ts';
import { retryAfterMs, withRetries } from '../../../../adapters/model/retry.ts';
import { ModelError } from '../../../../core/model/model-port.ts';

const busy = (retryAfter?: number) =>
	new ModelError('overloaded', 'busy', { transient: true, hint: 'wait', retryAfterMs: retryAfter });

function failing(errors: ModelError[]) {
	let tries = 0;
	const attempt = async () => {
		const error = errors[tries++];
		if (error) throw error;
		return 'done';
	};
	return { attempt, tries: () => tries };
}

async function run(errors: ModelError[], policy: { retries: number; maxWaitMs?: number }, deadlineMs = 20_000) {
	const deadline = createDeadline({ deadlineMs, now: () => performance.now() });
	const work = failing(errors);
	const result = await withRetries(deadline, { baseMs: 1, maxWaitMs: 50, ...policy }, () => 0.5, work.attempt).catch(
		(error: ModelError) => error,
	);
	deadline.release();
	return { result, tries: work.tries() };
}

test('tries at most so often', async () => {
	expect(await run([busy(), busy()], { retries: 2 })).toEqual({ result: 'done', tries: 3 });
	expect(await run([busy(), busy()], { retries: 1 })).toMatchObject({ result: { code: 'overloaded' }, tries: 2 });
	expect((await run([busy()], { retries: 0 })).tries).toBe(1);
});

test('what is not transient is not tried again', async () => {
	const auth = new ModelError('auth', 'no', { transient: false, hint: 'key' });
	expect(await run([auth], { retries: 5 })).toMatchObject({ result: { code: 'auth' }, tries: 1 });
});

test('A01 waits at least as long as asked, or not at all when that is too long', async () => {
	const started = performance.now();
	expect((await run([busy(40)], { retries: 1 })).result).toBe('done');
	expect(performance.now() - started).toBeGreaterThanOrEqual(35);
	expect((await run([busy(51)], { retries: 1 })).tries).toBe(1);
});

test('a wait that would outlast the deadline is not begun', async () => {
	expect((await run([busy(400)], { retries: 1, maxWaitMs: 5_000 }, 300)).tries).toBe(1);
});

test('the deadline wins over an attempt that ignores every signal', async () => {
	const deadline = createDeadline({ deadlineMs: 30, now: () => performance.now() });
	const stuck = withRetries(
		deadline,
		{ retries: 3, baseMs: 1, maxWaitMs: 1 },
		() => 0,
		() => new Promise(() => {}),
	);
	await expect(stuck).rejects.toMatchObject({ code: 'timeout' });
	deadline.release();
});

test('a released deadline neither fires nor listens', async () => {
	const outer = new AbortController();
	const deadline = createDeadline({ deadlineMs: 5, signal: outer.signal, now: () => performance.now() });
	deadline.release();
	outer.abort();
	await new Promise((resolve) => setTimeout(resolve, 30));
	expect(deadline.struck()).toBeUndefined();
	expect(deadline.signal.aborted).toBe(false);
});

test('retry-after is seconds or a date, and nonsense is nothing', () => {
	const at = Date.parse('2026-01-01T00:00:00Z');
	expect(retryAfterMs('7', at)).toBe(7_000);
	expect(retryAfterMs('0.5', at)).toBe(500);
	expect(retryAfterMs('Thu, 01 Jan 2026 00:00:10 GMT', at)).toBe(10_000);
	for (const nonsense of [null, undefined, '', 'soon', '-3', 'Wed, 31 Dec 2025 00:00:00 GMT']) {
		expect(retryAfterMs(nonsense, at)).toBeUndefined();
	}
});
