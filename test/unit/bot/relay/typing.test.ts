import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTyping } from '../../../../bot/relay/typing.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const make = (answer: () => Promise<boolean> = async () => true) => {
	const pulses: string[] = [];
	const typing = createTyping({
		clock: { now: () => Date.now() },
		pulse: (room) => {
			pulses.push(room);
			return answer();
		},
	});
	return { pulses, typing };
};
const signal = (forMs: number) => ({ room: 'lab', source: 'overseer', until: Date.now() + forMs });

describe('typing', () => {
	test('OPS-12 pulses go on while the scope lasts and end with it', async () => {
		const { pulses, typing } = make();
		typing.hear(signal(20_000));
		await vi.advanceTimersByTimeAsync(60_000);
		expect(pulses).toHaveLength(3);
	});

	test('OPS-12 ending the scope ends the pulses at once', async () => {
		const { pulses, typing } = make();
		typing.hear(signal(120_000));
		await vi.advanceTimersByTimeAsync(9_000);
		typing.end('lab', 'overseer');
		await vi.advanceTimersByTimeAsync(120_000);
		expect(pulses).toHaveLength(2);
	});

	test('OPS-12 a signal heard again prolongs the one scope instead of opening another', async () => {
		const { pulses, typing } = make();
		for (let index = 0; index < 10; index += 1) {
			typing.hear(signal(20_000));
			await vi.advanceTimersByTimeAsync(1_000);
		}
		expect(pulses).toHaveLength(2);
		typing.stop();
		await vi.advanceTimersByTimeAsync(60_000);
		expect(pulses).toHaveLength(2);
	});

	test('OPS-12 a refused or failing pulse ends the scope, and no scope outlives five minutes', async () => {
		for (const answer of [async () => false, async () => Promise.reject(new Error('gone'))]) {
			const { pulses, typing } = make(answer);
			typing.hear(signal(60_000));
			await vi.advanceTimersByTimeAsync(60_000);
			expect(pulses).toHaveLength(1);
		}
		const { pulses, typing } = make();
		typing.hear(signal(86_400_000));
		await vi.advanceTimersByTimeAsync(600_000);
		expect(pulses.length).toBeLessThanOrEqual(38);
	});

	test('a signal that is already over pulses nothing', async () => {
		const { pulses, typing } = make();
		typing.hear(signal(-1));
		await vi.advanceTimersByTimeAsync(20_000);
		expect(pulses).toEqual([]);
	});
});
