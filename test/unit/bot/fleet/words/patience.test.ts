import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPatience } from '../../../../../bot/fleet/threads/patience.ts';
import type { OutboxShown } from '../../../../../core/fleet/outbox.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const LATER = { laterMs: 1_000 };
const after = (ms: number, shown: OutboxShown | Error) =>
	new Promise<OutboxShown>((resolve, reject) => {
		setTimeout(() => (shown instanceof Error ? reject(shown) : resolve(shown)), ms);
	});
/** Asks, and lets as much time go by as asking may take. */
const ask = async (work: Promise<OutboxShown>) => {
	const end = Promise.allSettled([work]);
	await vi.advanceTimersByTimeAsync(500);
	const [first] = await end;
	return first?.status === 'fulfilled' ? first.value : 'rejected';
};

test('FLT-15 what is shown soon is waited for; what takes longer comes again, goes on meanwhile and is done once', async () => {
	const patiently = createPatience();
	let begun = 0;
	const slowly = () => {
		begun += 1;
		return after(1_300, 'shown');
	};
	expect(await ask(patiently('quick', 'x', () => after(100, 'shown')))).toBe('shown');
	expect(await ask(patiently('slow', 'y', slowly))).toEqual(LATER);
	expect(await ask(patiently('other', 'z', () => after(100, 'dropped')))).toBe('dropped');
	expect(await ask(patiently('slow', 'y', slowly))).toBe('shown');
	expect(begun).toBe(1);
});

test('FLT-15 a failure that comes late is told to whoever asks next, and then it is tried anew', async () => {
	const patiently = createPatience();
	let begun = 0;
	const show = () => {
		begun += 1;
		return begun === 1 ? after(700, new Error('away')) : after(0, 'shown');
	};
	expect(await ask(patiently('a', 'x', show))).toEqual(LATER);
	await vi.advanceTimersByTimeAsync(1_000);
	expect(await ask(patiently('a', 'x', show))).toBe('rejected');
	expect(await ask(patiently('a', 'x', show))).toBe('shown');
});

test('FLT-15 two items of one message are shown in order', async () => {
	const patiently = createPatience();
	const shown: string[] = [];
	const show = (name: string, ms: number) => async () => {
		await after(ms, 'shown');
		shown.push(name);
		return 'shown' as const;
	};
	expect(await ask(patiently('first', 'line', show('first', 2_000)))).toEqual(LATER);
	expect(await ask(patiently('second', 'line', show('second', 1)))).toEqual(LATER);
	await vi.advanceTimersByTimeAsync(2_000);
	expect(shown).toEqual(['first', 'second']);
});
