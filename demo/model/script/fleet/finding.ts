import { short } from './concierge-turn.ts';

const TELLING = /\b(?:found|finding|cause|turns out|because|result|leak|root)\b/i;
const MAX = 320;

/** What an agent found, in its own words, from the lines of its transcript; its last words when none says so. */
export function finding(lines: readonly string[]): string | undefined {
	const said = lines.flatMap((line) => /^\| agent: (.+)$/.exec(line)?.[1]?.trim() ?? []).filter((text) => text !== '');
	const words = said.findLast((text) => TELLING.test(text)) ?? said.at(-1);
	return words === undefined ? undefined : short(words.replace(/"/g, "'"), MAX);
}
