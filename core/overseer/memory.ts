import { visible } from '../chat/sanitise.ts';
import type { MemorySlots } from './stores.ts';

const MEMORY_MAX = 180;

/** Slot of a raw argument: 1, 2, 3 or the same as text; everything else is none. */
export function memorySlot(raw: unknown): 1 | 2 | 3 | undefined {
	const text = typeof raw === 'number' || typeof raw === 'string' ? String(raw).trim() : '';
	return text === '1' ? 1 : text === '2' ? 2 : text === '3' ? 3 : undefined;
}

/**
 * A note as it is stored: one line, at most 180 characters. Undefined when it is no text or holds control characters, which
 * no note needs and which a broken escape leaves behind. An empty text empties the slot.
 */
export function memoryLine(raw: unknown): string | undefined {
	if (typeof raw !== 'string') return undefined;
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(raw)) return undefined;
	const line = visible(raw).replace(/\s+/g, ' ').trim();
	return Array.from(line).slice(0, MEMORY_MAX).join('').trim();
}

/** The notes as the model reads them. */
export function memoryText(slots: MemorySlots): string {
	return slots.map((text, index) => `${index + 1}: ${text === '' ? '(empty)' : text}`).join(' | ');
}

export function withSlot(slots: MemorySlots, slot: 1 | 2 | 3, text: string): MemorySlots {
	const changed = slots.map((old, index) => (index === slot - 1 ? text : old));
	return [changed[0] ?? '', changed[1] ?? '', changed[2] ?? ''];
}
