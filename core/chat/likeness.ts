import { distance } from 'fastest-levenshtein';

const COMPARED_MAX = 600;

/** Letters and digits only, in small letters: what two lines have in common when dots and case do not count. */
export function bareText(text: string): string {
	return text
		.slice(0, COMPARED_MAX)
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}]+/gu, ' ')
		.trim();
}

/** How alike two lines are, 0 to 1, by the letters that must change to turn one into the other. */
export function lineLikeness(left: string, right: string): number {
	const one = bareText(left);
	const two = bareText(right);
	const longest = Math.max(one.length, two.length);
	return longest === 0 ? 1 : 1 - distance(one, two) / longest;
}
