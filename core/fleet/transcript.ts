import { promptText } from '../chat/sanitise.ts';
import type { TailLine } from './session.ts';

/** The last lines of a transcript, one line each, who spoke first. */
export function transcriptLines(tail: readonly TailLine[], count: number): string[] {
	return tail.slice(-count).map(({ role, text }) => `${role}: ${promptText(text, 600)}`);
}
