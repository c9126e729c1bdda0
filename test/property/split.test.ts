import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitText } from '../../core/chat/split.ts';

const fragment = fc.oneof(
	{ weight: 3, arbitrary: fc.lorem({ maxCount: 12 }) },
	{
		weight: 2,
		arbitrary: fc.constantFrom(
			'```',
			'```ts\n',
			'\n```\n',
			'~~~',
			'\n~~~\n',
			'~~~yaml\n',
			'````',
			'``',
			'`',
			' ~~~',
			'\n',
		),
	},
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom('\n\n', '   ', '\t', '😀', '👩‍🚀', `\`\`\`${'x'.repeat(90)}\n`, ' '.repeat(200)),
	},
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((count) => 'const a = 1;\n'.repeat(count)) },
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map((count) => 'w'.repeat(count)) },
);
const text = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(''));
const options = fc.record({ limit: fc.constantFrom(64, 100, 333, 2_000), maxMessages: fc.integer({ min: 1, max: 9 }) });

const backticks = (chunk: string) => (chunk.match(/```/g) ?? []).length;
const tildes = (chunk: string) => (chunk.match(/^ {0,3}~~~/gm) ?? []).length;

describe('splitText', () => {
	test('OPS-12 D01 the pieces joined are the text again, whatever it holds', () => {
		fc.assert(
			fc.property(text, options, (input, how) => {
				expect(splitText(input, how).bodies.join('')).toBe(input);
			}),
			{ numRuns: 1_500 },
		);
	});

	test('OPS-12 D01 every message is 1 to limit units, not blank, and balanced on its own', () => {
		fc.assert(
			fc.property(text, options, (input, how) => {
				const { messages } = splitText(input, how);
				expect(messages.length).toBeLessThanOrEqual(how.maxMessages);
				for (const message of messages) {
					expect(message.trim()).not.toBe('');
					expect(message.length).toBeLessThanOrEqual(how.limit);
					expect(backticks(message) % 2).toBe(0);
					expect(tildes(message) % 2).toBe(0);
				}
			}),
			{ numRuns: 1_500 },
		);
	});

	test('OPS-12 D01 nothing readable is lost: each body is in its message or in the file', () => {
		fc.assert(
			fc.property(text, options, (input, how) => {
				const { messages, bodies, file } = splitText(input, how);
				const sent = file === undefined ? bodies : bodies.slice(0, -1);
				const readable = sent.filter((body) => body.trim() !== '');
				expect(messages).toHaveLength(readable.length);
				readable.forEach((body, index) => {
					expect(messages[index]).toContain(body);
				});
				if (file !== undefined) expect(file.endsWith(bodies.at(-1) ?? '-')).toBe(true);
			}),
			{ numRuns: 800 },
		);
	});

	test('OPS-12 a surrogate pair is never torn', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('😀', 'a', '𝒳'), { minLength: 40, maxLength: 400 }), (parts) => {
				const { messages, bodies } = splitText(parts.join(''), { limit: 64, maxMessages: 9 });
				for (const piece of [...messages, ...bodies]) expect(encodeURIComponent(piece)).toBeTruthy();
			}),
			{ numRuns: 500 },
		);
	});
});
