import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clip, codeBlock, fitEmbeds, inline, toPayload } from '../../../../bot/views/view.ts';

const long = fc.string({ unit: 'binary', maxLength: 5_000 });
const embed = fc.record({
	title: long,
	description: long,
	footer: fc.record({ text: long }),
	fields: fc.array(fc.record({ name: long, value: long }), { maxLength: 40 }),
});

describe('view', () => {
	test('OVR-31 embeds of any size fit into Discord’s limits', () => {
		fc.assert(
			fc.property(fc.array(embed, { maxLength: 12 }), (embeds) => {
				const fitted = fitEmbeds(embeds);
				expect(fitted.length).toBeLessThanOrEqual(10);
				let total = 0;
				for (const { title = '', description = '', footer, fields = [] } of fitted) {
					expect(title.length).toBeLessThanOrEqual(256);
					expect(description.length).toBeLessThanOrEqual(4_096);
					expect(fields.length).toBeLessThanOrEqual(25);
					for (const { name, value } of fields) {
						expect(name.length).toBeGreaterThan(0);
						expect(name.length).toBeLessThanOrEqual(256);
						expect(value.length).toBeGreaterThan(0);
						expect(value.length).toBeLessThanOrEqual(1_024);
						total += name.length + value.length;
					}
					total += title.length + description.length + (footer?.text.length ?? 0);
				}
				expect(total).toBeLessThanOrEqual(6_000);
			}),
			{ numRuns: 60 },
		);
	});

	test('D03 every payload closes mentions', () => {
		expect(toPayload({ content: '@everyone' }).allowedMentions).toEqual({ parse: [], repliedUser: false });
	});

	test('untrusted text cannot leave its block or its line', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom('`', 'a', '\n', '~', '😀'), maxLength: 300 }), (text) => {
				const block = codeBlock(text, 200);
				expect(block.match(/```/g)).toHaveLength(2);
				expect(block.length).toBeLessThanOrEqual(200);
				expect(inline(text)).not.toContain('\n');
			}),
		);
		expect(inline('**bold** `code` [x](y)')).toBe('\\*\\*bold\\*\\* \\`code\\` \\[x\\](y)');
	});

	test('clipping tears no character apart', () => {
		expect(clip('a😀b', 3)).toBe('a…');
		expect(clip('abc', 3)).toBe('abc');
	});
});
