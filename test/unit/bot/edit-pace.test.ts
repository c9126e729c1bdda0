import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEditPace, EditDropped } from '../../../bot/edit-pace.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

interface Written {
	readonly channel: string;
	readonly message: string;
	readonly content: number;
	readonly from: number;
	to: number;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const MESSAGES = ['card', 'status', 'header', 'panel', 'line'];
const SLOWEST_MS = 400;
const wishes = fc.array(
	fc.record({
		afterMs: fc.integer({ min: 0, max: 700 }),
		channel: fc.constantFrom('fleet', 'admin'),
		message: fc.constantFrom(...MESSAGES),
		tookMs: fc.integer({ min: 0, max: SLOWEST_MS }),
		isRefused: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 60 },
);

describe('edit pace', () => {
	test('OPS-12 whatever changes, a channel sees one edit a second, every message its newest content, none is forgotten', async () => {
		await fc.assert(
			fc.asyncProperty(wishes, async (wanted) => {
				const pace = createEditPace();
				const written: Written[] = [];
				const newest = new Map<string, number>();
				const waiting = new Map<string, number>();
				const ends: Promise<unknown>[] = [];
				let longestMs = 0;
				for (const [content, { afterMs, channel, message, tookMs, isRefused }] of wanted.entries()) {
					await vi.advanceTimersByTimeAsync(afterMs);
					const key = `${channel} ${message}`;
					newest.set(key, content);
					if (!waiting.has(key)) waiting.set(key, Date.now());
					const write = async () => {
						longestMs = Math.max(longestMs, Date.now() - (waiting.get(key) ?? 0));
						waiting.delete(key);
						const one = { channel, message, content, from: Date.now(), to: 0 };
						written.push(one);
						await wait(tookMs);
						one.to = Date.now();
						if (isRefused) throw new Error('refused');
					};
					ends.push(pace.edit(channel, message, write).catch((error: Error) => error.message));
				}
				await vi.advanceTimersByTimeAsync(2 * MESSAGES.length * (1_000 + SLOWEST_MS));
				await Promise.all(ends);
				for (const channel of ['fleet', 'admin']) {
					const edits = written.filter((one) => one.channel === channel);
					for (const [index, { from }] of edits.entries())
						if (index > 0) expect(from - (edits[index - 1]?.to ?? 0)).toBeGreaterThanOrEqual(1_000);
					for (const message of MESSAGES) {
						const contents = edits.filter((one) => one.message === message).map(({ content }) => content);
						expect(contents.at(-1)).toBe(newest.get(`${channel} ${message}`));
						expect(contents).toEqual([...contents].sort((left, right) => left - right));
					}
				}
				expect(longestMs).toBeLessThanOrEqual((MESSAGES.length + 1) * (1_000 + SLOWEST_MS));
				await pace.stop();
			}),
			{ numRuns: 60 },
		);
	});

	test('OPS-12 a quiet channel is edited at once, and another channel does not wait for it', async () => {
		const pace = createEditPace();
		const seen: string[] = [];
		for (const channel of ['a', 'b']) void pace.edit(channel, 'm', async () => void seen.push(channel));
		await vi.advanceTimersByTimeAsync(0);
		expect(seen).toEqual(['a', 'b']);
	});

	test('OPS-12 a message that changes all the time does not keep the others from their turn', async () => {
		const pace = createEditPace();
		const seen: string[] = [];
		const ask = (message: string) => void pace.edit('a', message, async () => void seen.push(message));
		ask('busy');
		await vi.advanceTimersByTimeAsync(10);
		ask('busy');
		for (const message of ['one', 'two', 'three']) ask(message);
		for (let at = 0; at < 5_000; at += 50) {
			await vi.advanceTimersByTimeAsync(50);
			ask('busy');
		}
		expect(seen.slice(0, 6)).toEqual(['busy', 'busy', 'one', 'two', 'three', 'busy']);
	});

	test('OPS-12 what needed no writing takes nobody’s turn', async () => {
		const pace = createEditPace();
		const seen: string[] = [];
		for (let index = 0; index < 20; index += 1)
			void pace.edit('a', `m${index}`, async () => {
				seen.push(`m${index}`);
				return false;
			});
		await vi.advanceTimersByTimeAsync(0);
		expect(seen).toHaveLength(20);
	});

	test('OPS-12 all who wished for a message share how its edit ended', async () => {
		const pace = createEditPace();
		void pace.edit('a', 'first', async () => {});
		const older = pace.edit('a', 'card', async () => {});
		const newer = pace.edit('a', 'card', async () => {
			throw new Error('refused');
		});
		const ends = Promise.allSettled([older, newer]);
		await vi.advanceTimersByTimeAsync(1_000);
		expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	});

	test('OPS-12 stopping lets the edit under way end, drops what waits, and takes nothing more', async () => {
		const pace = createEditPace();
		const seen: string[] = [];
		const write = (message: string) => async () => {
			await wait(300);
			seen.push(message);
		};
		const ends = ['one', 'two'].map((message) => pace.edit('a', message, write(message)).catch((error) => error));
		await vi.advanceTimersByTimeAsync(100);
		const stopped = pace.stop().then(() => seen.push('stopped'));
		await vi.advanceTimersByTimeAsync(10_000);
		await stopped;
		expect(seen).toEqual(['one', 'stopped']);
		expect(await ends[1]).toBeInstanceOf(EditDropped);
		await expect(pace.edit('a', 'three', write('three'))).rejects.toBeInstanceOf(EditDropped);
		expect(vi.getTimerCount()).toBe(0);
	});

	test('OPS-12 stopping does not wait out a pause', async () => {
		const pace = createEditPace();
		await pace.edit('a', 'one', async () => {});
		await pace.stop();
		expect(vi.getTimerCount()).toBe(0);
	});
});
