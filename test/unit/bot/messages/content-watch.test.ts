import { expect, test } from 'vitest';
import { countContent, FRESH_CONTENT_WATCH } from '../../../../bot/messages/content-watch.ts';

test('D07 exactly one warning for thirty empty messages in a row, and again only after text came in between', () => {
	let watch = FRESH_CONTENT_WATCH;
	const feed = (count: number, hasContent: boolean) => {
		let warnings = 0;
		for (let index = 0; index < count; index += 1) {
			const next = countContent(watch, hasContent);
			watch = next.watch;
			if (next.warn) warnings += 1;
		}
		return warnings;
	};
	expect(feed(29, false)).toBe(0);
	expect(feed(1, true)).toBe(0);
	expect(feed(29, false)).toBe(0);
	expect(feed(1, false)).toBe(1);
	expect(feed(100, false)).toBe(0);
	expect(feed(1, true)).toBe(0);
	expect(feed(30, false)).toBe(1);
});
