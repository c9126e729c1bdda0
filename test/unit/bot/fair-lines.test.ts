import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFairLines, type FairLines, type FairLinesDeps } from '../../../bot/fair-lines.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function make(more: Partial<FairLinesDeps<string>> = {}) {
	const done: string[] = [];
	let atOnce = 0;
	let mostAtOnce = 0;
	const lines: FairLines<string> = createFairLines<string>({
		work: async (piece, tries) => {
			atOnce += 1;
			mostAtOnce = Math.max(mostAtOnce, atOnce);
			try {
				await wait(10);
				const isDone = (await more.work?.(piece, tries)) ?? true;
				if (isDone) done.push(piece);
				return isDone;
			} finally {
				atOnce -= 1;
			}
		},
		onFailure: more.onFailure ?? (() => {}),
		isAway: more.isAway ?? (() => false),
		...{ parallel: 2, retryMs: 100, lastRetryMs: 400 },
	});
	return { lines, done, mostAtOnce: () => mostAtOnce };
}

describe('fair lines', () => {
	test('FLT-15 a long line keeps no other waiting for its end, and each stays in order', async () => {
		const { lines, done, mostAtOnce } = make();
		for (const key of ['a', 'b', 'c']) for (let index = 0; index < 50; index += 1) lines.add(key, `${key}${index}`);
		lines.add('short', 'short0');
		await vi.advanceTimersByTimeAsync(10_000);
		expect(done).toHaveLength(151);
		expect(done.indexOf('short0')).toBeLessThan(6);
		for (const key of ['a', 'b', 'c'])
			expect(done.filter((piece) => piece.startsWith(key))).toEqual(
				Array.from({ length: 50 }, (_, at) => `${key}${at}`),
			);
		expect(mostAtOnce()).toBe(2);
	});

	test('FLT-15 what fails comes again with longer waits, its line waits with it, others go on', async () => {
		const seen: number[] = [];
		const tries: number[] = [];
		const failed: string[] = [];
		const { lines, done } = make({
			work: async (piece, tried) => {
				if (piece !== 'a0') return true;
				seen.push(Date.now());
				tries.push(tried);
				if (tried < 5) throw new Error('away');
				return true;
			},
			onFailure: (key) => failed.push(key),
		});
		for (const piece of ['a0', 'a1']) lines.add('a', piece);
		lines.add('b', 'b0');
		await vi.advanceTimersByTimeAsync(10_000);
		expect(done).toEqual(['b0', 'a0', 'a1']);
		expect(tries).toEqual([0, 1, 2, 3, 4, 5]);
		expect(seen.slice(1).map((at, index) => at - (seen[index] ?? 0))).toEqual([110, 210, 410, 410, 410]);
		expect(failed).toEqual(['a', 'a', 'a', 'a', 'a']);
	});

	test('FLT-15 what is in other hands is asked for again and again, and is no failure', async () => {
		const failed: string[] = [];
		const { lines, done } = make({ work: async (_piece, tries) => tries === 3, onFailure: (key) => failed.push(key) });
		lines.add('a', 'a0');
		await vi.advanceTimersByTimeAsync(4 * 110);
		expect([done, failed]).toEqual([['a0'], []]);
	});

	test('FLT-15 nothing is begun while everything is away; afterwards all goes on at once', async () => {
		let isAway = true;
		const { lines, done } = make({ isAway: () => isAway });
		lines.add('a', 'a0');
		await vi.advanceTimersByTimeAsync(10_000);
		expect(done).toEqual([]);
		isAway = false;
		lines.retry();
		await vi.advanceTimersByTimeAsync(10);
		expect(done).toEqual(['a0']);
	});

	test('FLT-15 a line that rests goes on at once when it is told to', async () => {
		let isBroken = true;
		const { lines, done } = make({
			work: async () => {
				if (isBroken) throw new Error('away');
				return true;
			},
		});
		lines.add('a', 'a0');
		await vi.advanceTimersByTimeAsync(900);
		isBroken = false;
		lines.retry();
		await vi.advanceTimersByTimeAsync(10);
		expect(done).toEqual(['a0']);
	});

	test('FLT-15 what is forgotten is not begun any more, and the line takes new pieces', async () => {
		const { lines, done } = make();
		for (const piece of ['a0', 'a1', 'a2']) lines.add('a', piece);
		await vi.advanceTimersByTimeAsync(5);
		lines.clear();
		lines.add('a', 'a3');
		await vi.advanceTimersByTimeAsync(1_000);
		expect(done).toEqual(['a0', 'a3']);
	});

	test('FLT-15 stopping waits for what is under way and begins nothing more', async () => {
		const { lines, done } = make();
		for (const piece of ['a0', 'a1']) lines.add('a', piece);
		await vi.advanceTimersByTimeAsync(5);
		const stopped = lines.stop().then(() => done.push('stopped'));
		await vi.advanceTimersByTimeAsync(1_000);
		await stopped;
		expect(done).toEqual(['a0', 'stopped']);
		expect(vi.getTimerCount()).toBe(0);
	});
});
