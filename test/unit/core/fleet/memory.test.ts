import { expect, test } from 'vitest';
import type { ConciergeMemory } from '../../../../core/fleet/concierge-memory.ts';
import { FRESH_MEMORY } from '../../../../core/fleet/concierge-memory.ts';
import { attachView } from '../../../../core/fleet/concierge-view.ts';
import {
	foldedDigest,
	healMemory,
	memoryMessages,
	memoryNotes,
	plainSummary,
	trimMemory,
	withSummary,
	withTurn,
} from '../../../../core/fleet/memory.ts';
import { estimatePromptTokens } from '../../../../core/model/token-estimate.ts';
import { T0 } from './fixture.ts';

const call = (id: string) => ({ tool: 'hub_read', args: { id, what: 'transcript' } });
const result = (text: string) => ({ tool: 'hub_read', ok: true, code: 'done', text });

function full(turns: number): ConciergeMemory {
	let memory = FRESH_MEMORY;
	for (let at = 0; at < turns; at += 1) {
		const steps = [
			{
				calls: [call('s1'), { tool: 'hub_notify', args: { text: `told ${at}`, level: 'info' } }],
				results: [result('long '.repeat(900)), { tool: 'hub_notify', ok: true, code: 'done', text: 'Told.' }],
			},
		];
		memory = withTurn(memory, {
			id: `w${at}`,
			at: T0 + at,
			why: 'question',
			input: `[question of alex, a person]\nquestion ${at}`,
			steps,
			answer: `answer ${at}`,
		});
	}
	return memory;
}

/** Roles alternate so that each call of the model is followed by its results. */
function assertPairs(memory: ConciergeMemory): void {
	const messages = memoryMessages(memory);
	if (messages.length > 0) expect(messages[0]!.role).toBe('user');
	for (const [at, message] of messages.entries()) {
		expect(message.content.trim()).not.toBe('');
		expect(message.content.isWellFormed()).toBe(true);
		const calls = message.role === 'assistant' ? (JSON.parse(message.content).calls as unknown[]) : [];
		if (calls.length === 0) continue;
		const next = messages[at + 1]!;
		expect(next.role).toBe('user');
		expect(next.content.match(/^\d+\. /gm)).toHaveLength(calls.length);
	}
}

test('FLT-18 a digest is folded once it was read, and its results are shortened', () => {
	const input = foldedDigest('events', 3, 4, '14:02');
	const memory = withTurn(FRESH_MEMORY, {
		id: 'w1',
		at: T0,
		why: 'events',
		input,
		steps: [{ calls: [call('s1')], results: [result('word '.repeat(500))] }],
	});
	const messages = memoryMessages(memory);
	expect(messages[0]).toEqual({ role: 'user', content: '[digest of 14:02, read: 3 events, 4 sessions]' });
	expect(estimatePromptTokens(messages)).toBeLessThan(300);
	expect(withTurn(memory, { id: 'w1', at: T0, why: 'events', input, steps: [] }).turns).toHaveLength(1);
});

test('FLT-18 A03 a memory over its limit loses whole turns, oldest first, and call and result stay together', () => {
	const memory = full(40);
	const { memory: kept, dropped } = trimMemory(memory, 2_000);
	expect(estimatePromptTokens(memoryMessages(kept))).toBeLessThanOrEqual(2_000);
	expect([...dropped, ...kept.turns]).toEqual(memory.turns);
	expect(dropped.length).toBeGreaterThan(0);
	expect(kept.turns.length).toBeGreaterThan(3);
	assertPairs(kept);
	expect(trimMemory(full(1), 6_000).dropped).toEqual([]);
	const tiny = trimMemory(full(3), 1_000);
	assertPairs(tiny.memory);
});

test('A03 a memory that was broken by a crash heals: interrupted calls say so and are not made again', () => {
	const broken: ConciergeMemory = {
		summary: '',
		turns: [
			{
				id: 'a',
				at: T0,
				why: 'events',
				input: 'digest 1',
				folded: true,
				steps: [{ calls: [call('s1'), call('s2')], results: [] }],
			},
			{ id: 'b', at: T0, why: 'events', input: '  ', folded: true, steps: [] },
			{
				id: 'c',
				at: T0,
				why: 'events',
				input: 'digest 2',
				folded: true,
				steps: [
					{ calls: [], results: [] },
					{ calls: [call('s3')], results: [result('x'), result('orphan')] },
				],
			},
		],
	};
	const healed = healMemory(broken);
	expect(healed.turns.map(({ id }) => id)).toEqual(['a', 'c']);
	expect(healed.turns[0]!.steps[0]!.results.map(({ code }) => code)).toEqual(['interrupted', 'interrupted']);
	expect(healed.turns[1]!.steps).toHaveLength(1);
	expect(healed.turns[1]!.steps[0]!.results).toHaveLength(1);
	assertPairs(broken);
});

test('A05 half an emoji in a stored memory is repaired when it is sent', () => {
	const half = 'build passed 🚀'.slice(0, -1);
	const poisoned: ConciergeMemory = {
		summary: half,
		turns: [
			{
				id: 'a',
				at: T0,
				why: 'question',
				input: half,
				folded: true,
				steps: [{ said: half, calls: [{ tool: half, args: { text: half } }], results: [result(half)] }],
				answer: half,
			},
		],
	};
	expect(half.isWellFormed()).toBe(false);
	assertPairs(poisoned);
	for (const { content } of memoryMessages(poisoned)) expect(content).not.toMatch(/\\ud83d(?!\\u)/);
	expect(withSummary(FRESH_MEMORY, half).summary.isWellFormed()).toBe(true);
});

test('FLT-18 what is dropped leaves a summary, by code where no model writes one', () => {
	const summary = plainSummary('- old wish', full(3).turns);
	expect(summary).toContain('- old wish');
	expect(summary).toContain('asked: (question of alex, a person) question 0'.replace('(', '[').replace(')', ']'));
	expect(summary).toContain('told 2');
	expect(plainSummary(summary, full(60).turns).length).toBeLessThanOrEqual(1_600);
	expect(memoryNotes([])).toContain('nothing');
	const messages = memoryMessages(withSummary(FRESH_MEMORY, 'alex wants to hear of failures only'));
	expect(messages).toEqual([{ role: 'user', content: '[what you remember]\nalex wants to hear of failures only' }]);
});

test('FLT-5 attach shows the conversation as it is remembered', () => {
	expect(attachView(FRESH_MEMORY, T0)).toBe('It remembers nothing yet.');
	const view = attachView(full(1), T0 + 60_000);
	expect(view).toContain('1m ago');
	expect(view).toContain('hub_notify');
	expect(view).toContain('said "answer 0"');
});
