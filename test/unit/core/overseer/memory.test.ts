import { expect, test } from 'vitest';
import { memoryLine, memorySlot, memoryText, withSlot } from '../../../../core/overseer/memory.ts';

test('OVR-26 O01 a slot is 1, 2 or 3, as number or text, and nothing else', () => {
	expect([1, '2', ' 3 '].map(memorySlot)).toEqual([1, 2, 3]);
	expect([0, 4, '2abc', '', null, undefined, 1.5, true, {}, '１'].map(memorySlot)).toEqual(Array(10).fill(undefined));
});

test('OVR-26 a note is one line of at most 180 characters', () => {
	expect(memoryLine('  sam\nlikes\t dark  ')).toBe('sam likes dark');
	expect(Array.from(memoryLine('😈'.repeat(300)) ?? '')).toHaveLength(180);
	expect(memoryLine('😈'.repeat(300))?.isWellFormed()).toBe(true);
	expect(memoryLine('a\u202eb\u200bc')).toBe('abc');
	expect(memoryLine('')).toBe('');
});

test('OVR-26 O10 control characters and other values are refused, not repaired', () => {
	expect(memoryLine('k\u0000fcche')).toBeUndefined();
	expect(memoryLine(12)).toBeUndefined();
	expect(memoryLine(null)).toBeUndefined();
	expect(memoryLine('Tom &amp; Jerry')).toBe('Tom &amp; Jerry');
});

test('OVR-26 three slots, one replaced at a time, read as one line', () => {
	const slots = withSlot(['a', '', ''], 3, 'c');
	expect(slots).toEqual(['a', '', 'c']);
	expect(memoryText(slots)).toBe('1: a | 2: (empty) | 3: c');
});
