import { cutText, promptText } from '../chat/sanitise.ts';

/**
 * A text of somebody else's as data inside one of our lines: one line, nothing invisible, no tag, no mention, in double
 * quotes that it cannot close.
 */
export function quoted(text: string, max: number): string {
	return `"${bare(text, max)}"`;
}

/** The same without the quotes, for names and single values. */
export function bare(text: string, max: number): string {
	return cutText(promptText(text, max).replace(/["“”„‟«»＂]/g, "'"), max);
}
