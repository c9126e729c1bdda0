/** Full stops of East Asian scripts behind a closing parenthesis at the end of a line. */
const WIDE_STOP = /\)[ \t]*[。．｡][ \t]*$/gm;

export interface FactBlock {
	readonly text: string;
	/** `full_width_stop_replaced`, `byte_order_mark_removed`, `fence_removed`. */
	readonly notes: readonly string[];
}

/**
 * What may be put right before reading, and nothing else: a byte order mark, a fence around the whole block, and the wide
 * full stop that ends a line behind `)`. Each is noted.
 */
export function cleanFactBlock(given: string): FactBlock {
	const notes: string[] = [];
	let text = given.replace(/\r\n?/g, '\n');
	if (text.startsWith('\ufeff')) {
		text = text.slice(1);
		notes.push('byte_order_mark_removed');
	}
	const lines = text.trim().split('\n');
	const isFenced =
		lines.length >= 2 && /^(?:```|~~~)/.test(lines[0] ?? '') && /^(?:```|~~~)\s*$/.test(lines.at(-1) ?? '');
	if (isFenced) {
		text = lines.slice(1, -1).join('\n');
		notes.push('fence_removed');
	}
	if (WIDE_STOP.test(text)) {
		text = text.replace(WIDE_STOP, ').');
		notes.push('full_width_stop_replaced');
	}
	return { text, notes };
}
