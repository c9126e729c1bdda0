import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptName, promptText } from '../../../core/chat/sanitise.ts';
import { chatWindow } from '../../../core/chat/window.ts';
import { line, settingsOf, T0 } from '../../unit/core/overseer/room-fixture.ts';
import { garbage } from './garbage.ts';

const limits = settingsOf().window;
const author = fc.constantFrom('sam', 'kim', 'log', 'Overseer');

test('OVR-10 whatever a bot floods: the last five people and the last own line are there, and never more than 40 turns', () => {
	fc.assert(
		fc.property(
			fc.array(fc.record({ who: author, second: fc.nat(3_000) }), { maxLength: 150, size: 'max' }),
			(rows) => {
				const sorted = [...rows].sort((a, b) => a.second - b.second);
				const messages = sorted.map(({ who, second }, index) =>
					line(index + 1, second, who, 'x', { own: who === 'Overseer', bot: who === 'log' }),
				);
				const window = chatWindow({ messages, now: T0 + 3_000_000, limits });
				const shown = new Set(window.map(({ seq }) => seq));
				const people = messages.filter(({ bot }) => !bot);
				for (const { seq } of people.slice(-5)) expect(shown.has(seq)).toBe(true);
				const own = messages.filter(({ source }) => source === 'overseer');
				for (const { seq } of own.slice(-2)) expect(shown.has(seq)).toBe(true);
				expect(window.filter(({ bot }) => bot).length).toBeLessThanOrEqual(4);
				expect(window.length).toBeLessThanOrEqual(40);
				expect(window.map(({ seq }) => seq)).toEqual([...shown].sort((a, b) => a - b));
				// Without any bot the same people are shown: no flood can push one out by more than the bots' own few places.
				const without = chatWindow({ messages: people, now: T0 + 3_000_000, limits });
				expect(window.filter(({ bot }) => !bot).length).toBeGreaterThanOrEqual(Math.min(without.length, 36));
			},
		),
		{ numRuns: 400 },
	);
});

test('OVR-11 whatever people write is one visible line without tags, pings or half characters', () => {
	fc.assert(
		fc.property(fc.oneof(garbage, fc.string({ unit: 'binary', maxLength: 300 })), (text) => {
			const shown = promptText(text);
			expect(shown).not.toMatch(/[<>\n\r\u2028\u2029\u200b\u202a-\u202e\u2066-\u2069]|\p{Cc}/u);
			expect(shown).not.toMatch(/@\s*(?:everyone|here)\b/i);
			expect(shown).not.toMatch(/STATE_UPDATE|available_tools|blocked_tools/i);
			expect(shown.isWellFormed()).toBe(true);
			const name = promptName(text);
			expect(name).not.toMatch(/[:<>[\]{}\n]/);
			expect(name.trim().length).toBeGreaterThan(0);
		}),
		{ numRuns: 2_000 },
	);
});
