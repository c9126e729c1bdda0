import { wordsOf } from '../speech/words.ts';

/** From this on two questions count as the same: shared words, or shared runs of three characters. */
const SAME_WORDS = 0.6;
const SAME_GRAMS = 0.8;

/** Share of common words, 0 to 1. */
function wordLikeness(left: string, right: string): number {
	const a = new Set(wordsOf(left).map(({ text }) => text));
	const b = new Set(wordsOf(right).map(({ text }) => text));
	if (a.size === 0 || b.size === 0) return 0;
	let common = 0;
	for (const word of a) if (b.has(word)) common += 1;
	return common / (a.size + b.size - common);
}

function grams(text: string): Map<string, number> {
	const letters = Array.from(
		text
			.normalize('NFKC')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}]+/gu, ' ')
			.trim(),
	);
	const counts = new Map<string, number>();
	for (let at = 0; at + 3 <= letters.length; at += 1) {
		const gram = letters.slice(at, at + 3).join('');
		counts.set(gram, (counts.get(gram) ?? 0) + 1);
	}
	return counts;
}

/** Cosine of the counts of three-character runs, 0 to 1; works without blanks between words. */
function gramLikeness(left: string, right: string): number {
	const a = grams(left);
	const b = grams(right);
	let product = 0;
	for (const [gram, count] of a) product += count * (b.get(gram) ?? 0);
	const length = (counts: Map<string, number>) => Math.sqrt([...counts.values()].reduce((sum, n) => sum + n * n, 0));
	const size = length(a) * length(b);
	return size === 0 ? 0 : product / size;
}

/** Would a person say that this was asked already? */
export function isSameQuestion(left: string, right: string): boolean {
	return wordLikeness(left, right) >= SAME_WORDS || gramLikeness(left, right) >= SAME_GRAMS;
}
