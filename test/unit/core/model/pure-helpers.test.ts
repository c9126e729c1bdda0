import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costUsd } from '../../../../core/model/cost.ts';
import { ModelError } from '../../../../core/model/model-port.ts';
import { isPromptCut } from '../../../../core/model/prompt-cut.ts';
import { estimatePromptTokens, estimateTokens } from '../../../../core/model/token-estimate.ts';
import { wellFormed, wellFormedDeep } from '../../../../core/model/well-formed.ts';

describe('A05 well-formed text', () => {
	test('halves of an emoji become the replacement character, whole ones stay', () => {
		const tail = `${'build passed '.repeat(20)}🚀🚀🚀`.slice(-3);
		expect(wellFormed(tail)).toBe('\ufffd🚀');
		expect(wellFormed('status 😀'.slice(0, 8))).toBe('status \ufffd');
		expect(wellFormed('fine 😀')).toBe('fine 😀');
	});

	test('whatever comes in, what goes out survives a strict UTF-8 round trip', () => {
		const encode = (text: string) => new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(text));
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }), (units) => {
				const text = wellFormed(String.fromCharCode(...units));
				expect(encode(text)).toBe(text);
				expect(text).toHaveLength(units.length);
			}),
		);
	});

	test('nested values are repaired, keys included, and nothing else changes', () => {
		expect(wellFormedDeep({ a: ['\ud83d', 1, null, true], '\udc00': { b: undefined } })).toEqual({
			a: ['\ufffd', 1, null, true],
			'\ufffd': { b: undefined },
		});
	});
});

describe('OVR-10 token estimate', () => {
	// The largest count of four vocabularies (o200k, Llama 3, Mistral v1, an older Claude one) for each text.
	test.each([
		['The quick brown fox jumps over the lazy dog.', 12],
		[
			'alex: lol no way sam just drifted past the dock again\nsam: skill issue tbh\nkim: overseer pls judge them both 😂',
			33,
		],
		[
			'{"mode":"ACTION+CHAT","chat":"Very well.","calls":[{"tool":"ha_set_entity","args":{"entity_id":"light.shelf","state":"off"}}]}',
			45,
		],
		["export function wellFormed(text: string): string {\n\treturn text.replace(LONE, '\\ufffd');\n}", 28],
		['Die Lampe im Flur ist ausgeschaltet.', 12],
		['Включи свет в коридоре, пожалуйста, и не забудь про пылесос.', 34],
		['请把走廊的灯关掉，然后让扫地机器人回去充电。', 25],
		['廊下の電気を消して、掃除機を帰らせてください。', 30],
		['من فضلك أطفئ الضوء في الممر', 27],
		['कृपया गलियारे की बत्ती बंद कर दें', 36],
		['🚀🚀🔥 nice 👍🏽 👩‍👩‍👧', 25],
		['1523456789012345678 12s 3500 2026-11-30', 40],
	])('%s is at least and about %i', (text, tokens) => {
		expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
		expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 1.7);
	});

	test('never negative, grows with text, and counts every symbol and ideograph', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', maxLength: 60 }),
				fc.string({ unit: 'grapheme', maxLength: 60 }),
				(left, right) => {
					expect(estimateTokens(`${left} ${right}`)).toBeGreaterThanOrEqual(
						Math.max(estimateTokens(left), estimateTokens(right)),
					);
				},
			),
		);
		expect(estimateTokens('灯を消して')).toBeGreaterThanOrEqual(5);
		expect(estimateTokens('🚀🚀')).toBeGreaterThanOrEqual(4);
		expect(estimateTokens('')).toBe(0);
	});

	test('every message costs its template', () => {
		const one = [{ role: 'user' as const, content: 'hello' }];
		expect(estimatePromptTokens([...one, ...one]) - estimatePromptTokens(one)).toBeGreaterThan(estimateTokens('hello'));
	});
});

describe('O05 cut prompts', () => {
	const size = (estimatedTokens: number, reportedTokens: number | undefined) =>
		isPromptCut({ estimatedTokens, reportedTokens, contextTokens: 8_192, outputTokens: 400 });
	test.each([
		[9_400, 4_098, true],
		[9_400, 8_100, false],
		[3_500, 1_024, true],
		[3_500, 2_400, false],
		[3_500, 0, false],
		[3_500, undefined, false],
		[100, 10, false],
	])('estimated %s, reported %s: %s', (estimated, reported, cut) => expect(size(estimated, reported)).toBe(cut));
});

describe('cost', () => {
	const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
	test('each meter has its own price', () => {
		const tokens = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 10_000, cacheWriteTokens: 1_000 };
		expect(costUsd(tokens, price)).toBeCloseTo(3 + 1.5 + 0.003 + 0.00375, 10);
	});
	test('a model without a price has an unknown cost', () => {
		expect(costUsd({ inputTokens: 5, outputTokens: 5 }, undefined)).toBeUndefined();
	});
});

test('a model error carries its code, its hint and its cause', () => {
	const cause = new Error('socket');
	const error = new ModelError('timeout', 'slow', { transient: true, hint: 'wait', retryAfterMs: 5, cause });
	expect(error).toMatchObject({
		name: 'ModelError',
		code: 'timeout',
		transient: true,
		hint: 'wait',
		retryAfterMs: 5,
		cause,
	});
	expect(error).toBeInstanceOf(Error);
});
