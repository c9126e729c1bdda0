import { expect, test } from 'vitest';
import { outlastStore } from '../../../jobs/outlast-store.ts';
import { StoreAway } from '../../../jobs/store-failure.ts';

const open = new AbortController().signal;
const failing = (times: number, error: () => Error = () => new StoreAway('away')) => {
	let tries = 0;
	return {
		tries: () => tries,
		act: async () => {
			tries += 1;
			if (tries <= times) throw error();
			return `done at ${tries}`;
		},
	};
};

test('OPS-15 what the store lets through is done once', async () => {
	const { act, tries } = failing(0);
	expect(await outlastStore(act, open)).toBe('done at 1');
	expect(tries()).toBe(1);
});

test('OPS-15 what the store failed under is done again until it answers', async () => {
	expect(await outlastStore(failing(2).act, open)).toBe('done at 3');
});

test('OPS-15 every other failure is told at once', async () => {
	const { act, tries } = failing(1, () => new TypeError('a bug'));
	await expect(outlastStore(act, open)).rejects.toThrow('a bug');
	expect(tries()).toBe(1);
});

test('OPS-15 a process that stops does not wait for its store', async () => {
	const stopped = failing(1);
	await expect(outlastStore(stopped.act, AbortSignal.abort())).rejects.toThrow(StoreAway);
	expect(stopped.tries()).toBe(1);

	const stop = new AbortController();
	const waiting = failing(Number.POSITIVE_INFINITY);
	const result = outlastStore(waiting.act, stop.signal);
	await expect.poll(waiting.tries).toBe(1);
	stop.abort();
	// Once more, in case the store is back just now.
	await expect(result).rejects.toThrow(StoreAway);
	expect(waiting.tries()).toBe(2);
});
