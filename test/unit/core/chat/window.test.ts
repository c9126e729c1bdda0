import { expect, test } from 'vitest';
import { chatWindow } from '../../../../core/chat/window.ts';
import { line, settingsOf, T0 } from '../overseer/room-fixture.ts';

const limits = settingsOf().window;
const now = T0 + 1_000_000;
const at = (seq: number, second: number, who: string, flags = {}) => line(seq, second, who, `line ${seq}`, flags);
const seqs = (messages: readonly { seq: number }[]) => messages.map(({ seq }) => seq);

test('OVR-10 at most 40 turns', () => {
	const messages = Array.from({ length: 100 }, (_, index) => at(index + 1, 900 + index / 2, 'sam'));
	const window = chatWindow({ messages, now, limits });
	expect(window).toHaveLength(40);
	expect(window.at(-1)?.seq).toBe(100);
});

test('OVR-10 at most ten minutes, but always the last five people and the last two own lines', () => {
	const messages = [
		...Array.from({ length: 10 }, (_, index) => at(index + 1, index, 'sam')),
		at(11, 11, 'Overseer', { own: true }),
		at(12, 12, 'Overseer', { own: true }),
		at(13, 13, 'Overseer', { own: true }),
	];
	expect(seqs(chatWindow({ messages, now, limits }))).toEqual([6, 7, 8, 9, 10, 12, 13]);
});

test('OVR-10 what an admin cleared and what came after the decision was taken is not shown', () => {
	const messages = Array.from({ length: 10 }, (_, index) => at(index + 1, 900 + index, 'sam'));
	expect(seqs(chatWindow({ messages, now, limits, contextResetAt: T0 + 904_000 }))).toEqual([5, 6, 7, 8, 9, 10]);
	expect(seqs(chatWindow({ messages, now, limits, upToSeq: 3 }))).toEqual([1, 2, 3]);
});

test('OVR-7 a line that waits for an answer stays although it is old and buried', () => {
	const messages = [at(1, 0, 'kim'), ...Array.from({ length: 60 }, (_, index) => at(index + 2, 950, 'sam'))];
	const window = chatWindow({ messages, now, limits, keepIds: ['m1'] });
	expect(window[0]?.seq).toBe(1);
	expect(window).toHaveLength(40);
});

test('D04 lines of other bots are shown, few of them, and only fresh ones', () => {
	const messages = [
		at(1, 100, 'log', { bot: true }),
		at(2, 990, 'log', { bot: true }),
		at(3, 991, 'log', { bot: true }),
		at(4, 992, 'log', { bot: true }),
		at(5, 993, 'sam'),
	];
	expect(seqs(chatWindow({ messages, now, limits }))).toEqual([3, 4, 5]);
});
