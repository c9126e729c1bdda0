import { describe, expect, test } from 'vitest';
import { splitText } from '../../../../core/chat/split.ts';

const longCode = `\`\`\`ts\n${Array.from({ length: 300 }, (_, i) => `const line${i} = compute(${i});`).join('\n')}\n\`\`\``;
const longOpener = `Plan:\n\`\`\`${'x'.repeat(400)}\n${'y '.repeat(1_500)}\n\`\`\`\nDone.`;
const tildes = `~~~yaml\n${'key: value\n'.repeat(400)}~~~\nand then \`\`\`one\`\`\` inline`;

describe('splitText', () => {
	test('OPS-12 D01 a block that opens at the first character is cut at lines and keeps its language', () => {
		const { messages } = splitText(longCode);
		expect(messages.length).toBeGreaterThan(3);
		for (const message of messages) {
			expect(message.length).toBeLessThanOrEqual(2_000);
			expect(message.startsWith('```ts\n')).toBe(true);
			expect(message.endsWith('\n```')).toBe(true);
		}
		expect(messages[1]).toMatch(/^```ts\nconst line\d+ = compute/);
	});

	test('OPS-12 D01 an opening line too long to repeat is reopened bare', () => {
		const { messages, bodies } = splitText(longOpener);
		expect(bodies.join('')).toBe(longOpener);
		expect(messages[1]).toMatch(/^```\ny /);
		expect(messages.at(-1)).toMatch(/Done\.$/);
	});

	test('OPS-12 D01 tilde blocks are closed and reopened, an inline pair is left alone', () => {
		const { messages } = splitText(tildes);
		expect(messages[0]?.endsWith('\n~~~')).toBe(true);
		expect(messages[1]?.startsWith('~~~yaml\nkey')).toBe(true);
		expect(messages.at(-1)).toContain('and then ```one``` inline');
	});

	test('OPS-12 D01 more than five messages become five and one file with the rest', () => {
		const text = 'A paragraph of some words.\n\n'.repeat(700);
		const { messages, file, bodies } = splitText(text);
		expect(messages).toHaveLength(5);
		expect(file).toBeDefined();
		expect(bodies.join('')).toBe(text);
	});

	test('OPS-12 D01 the file of a torn block opens it again', () => {
		const { file } = splitText(longCode, { limit: 500, maxMessages: 2 });
		expect(file?.startsWith('```ts\nconst line')).toBe(true);
	});

	test('OPS-12 a text that fits is sent as it is', () => {
		expect(splitText('hello')).toEqual({ messages: ['hello'], bodies: ['hello'] });
		const full = 'a'.repeat(2_000);
		expect(splitText(full).messages).toEqual([full]);
	});

	test('OPS-12 blank text makes no message', () => {
		expect(splitText('').messages).toEqual([]);
		expect(splitText(' \n'.repeat(3_000)).messages).toEqual([]);
	});

	test('OPS-12 D01 prose before a block ends its own message rather than tearing the block early', () => {
		const text = `${'Some words of prose. '.repeat(60)}\n\n\`\`\`js\n${'let a = 1;\n'.repeat(90)}\`\`\``;
		const { messages } = splitText(text);
		expect(messages).toHaveLength(2);
		expect(messages[1]?.startsWith('```js\n')).toBe(true);
	});

	test('OPS-12 an unfinished block is finished', () => {
		expect(splitText('```js\nlet a').messages).toEqual(['```js\nlet a\n```']);
	});
});
