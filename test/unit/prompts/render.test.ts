import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { honestFact, honestLine } from '../../../prompts/overseer/honest.ts';
import { checkPrompts, PROMPT_FILES, PromptError, renderLine, renderPrompt } from '../../../prompts/render.ts';
import { settingsOf } from '../core/overseer/room-fixture.ts';
import { shippedPrompts } from './prompt-files.ts';

const texts = shippedPrompts();

function problem(change: Partial<Record<string, string | undefined>>): { code: string; file: string; message: string } {
	try {
		checkPrompts({ ...texts, ...change });
	} catch (error) {
		if (error instanceof PromptError) return { code: error.code, file: error.file, message: error.message };
	}
	return { code: 'none', file: '', message: '' };
}

test('OVR-29 the shipped files pass their own check', () => {
	expect(problem({})).toEqual({ code: 'none', file: '', message: '' });
});

test.each(PROMPT_FILES)('OVR-29 %s: missing or empty is a clear error', (name) => {
	expect(problem({ [name]: undefined })).toMatchObject({ code: 'missing_file', file: name });
	expect(problem({ [name]: ' \n' })).toMatchObject({ code: 'empty_file', file: name });
	expect(problem({ [name]: `${texts[name]}\n<NMAE>` })).toMatchObject({ code: 'unknown_placeholder', file: name });
});

test('OVR-29 the message names the placeholder and those that are known', () => {
	expect(problem({ 'overseer/system.md': 'You are <NAME>, <ROOM>.' }).message).toBe(
		'prompts/overseer/system.md: unknown placeholder <ROOM>; known here: <NAME>, <MAX_CHARS>, <MAX_CALLS>',
	);
	expect(problem({ 'overseer/system.md': 'You are somebody.' })).toMatchObject({ code: 'missing_placeholder' });
	expect(problem({ 'overseer/honest.md': 'unreachable: x' })).toMatchObject({ code: 'missing_line' });
});

test('OVR-29 the name fills every place, signs of replacement patterns included', () => {
	const text = renderPrompt(texts, 'overseer/system.md', { NAME: 'A$&B', MAX_CHARS: 400, MAX_CALLS: 1 });
	expect(text).toContain('You are A$&B,');
	expect(text).not.toMatch(/<[A-Z_]+>/);
	expect(() => renderPrompt(texts, 'overseer/system.md', { NAME: 'x' })).toThrow(PromptError);
	expect(() => renderLine(texts, 'overseer/honest.md', 'nothing')).toThrow(PromptError);
});

test('OVR-7 OVR-19 honest lines are short, in words, and name the thing', () => {
	const settings = settingsOf();
	const fact = honestFact(texts, settings);
	expect(fact('not_done', 'lift')).toBe('I have not touched the lift.');
	for (const why of ['unreachable', 'given_up'] as const)
		expect(honestLine(texts, settings, why).length).toBeLessThan(120);
	for (const kind of ['not_done', 'unconfirmed', 'blocked', 'failed'] as const)
		expect(fact(kind, 'any')).not.toMatch(/[<>_]/);
});

test('OVR-29 no prompt file holds a name that is a setting', () => {
	for (const name of PROMPT_FILES) {
		const text = readFileSync(new URL(`../../../prompts/${name}`, import.meta.url), 'utf8');
		expect(text).not.toMatch(/\bOverseer\b|\bMajordomo\b/);
	}
});
