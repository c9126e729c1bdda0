import type { LanguageWords } from '../../../config/intake-words.ts';
import { isUnspaced, type Word } from './words.ts';

/** Words that turn the sentence round again, so that a "not" before them does not reach behind. */
const TURNS = new Set(
	'but just only instead however although though aber sondern nur mais seulement sino pero solo solamente'.split(' '),
);
const RELATIVES = new Set('that which who whose where das welche welcher qui que dont'.split(' '));
const NEEDED = new Set(
	'needed necessary required wanted planned desired nötig notwendig gebraucht erforderlich gewünscht geplant nécessaire requis requise prévu necesario necesaria requerido'.split(
		' ',
	),
);
const REACH_BEFORE = 6;
const REACH_AFTER = 3;

export interface Negators {
	readonly single: ReadonlySet<string>;
	readonly phrases: readonly (readonly string[])[];
	/** For scripts without blanks. */
	readonly pieces: readonly string[];
}

export function negatorsOf(languages: readonly LanguageWords[]): Negators {
	const all = languages.flatMap(({ negations }) => negations.map((word) => word.toLowerCase()));
	const spaced = all.filter((word) => !isUnspaced(word));
	return {
		single: new Set(spaced.filter((word) => !word.includes(' '))),
		phrases: spaced.filter((word) => word.includes(' ')).map((word) => word.split(' ')),
		pieces: all.filter(isUnspaced),
	};
}

function endsSentence(before: string): boolean {
	return /[.!?;:。！？；：\n()]/.test(before);
}

/** Is the word at `start` (a phrase up to `end`, exclusive) said not to be? Looks within the sentence only. */
export function isNegated(
	words: readonly Word[],
	start: number,
	end: number,
	negators: Negators,
	reach = REACH_BEFORE,
): boolean {
	return negatedBefore(words, start, negators, reach) || negatedAfter(words, end, negators);
}

function negatedBefore(words: readonly Word[], start: number, negators: Negators, reach: number): boolean {
	for (let at = start - 1; at >= 0 && at >= start - reach; at -= 1) {
		const next = words[at + 1] as Word;
		if (endsSentence(next.before)) return false;
		const { text } = words[at] as Word;
		const isPhrase = negators.phrases.some((phrase) => phrase.every((part, i) => words[at + i]?.text === part));
		if (isPhrase) return true;
		if (TURNS.has(text)) return false;
		if (negators.single.has(text) || text.endsWith("n't") || text.startsWith("n'")) {
			// "No, a page please" answers something; "not only" denies nothing.
			return !(next.before.includes(',') || next.before.includes('，'));
		}
	}
	return false;
}

function negatedAfter(words: readonly Word[], end: number, negators: Negators): boolean {
	for (let at = end; at < words.length && at < end + REACH_AFTER; at += 1) {
		const word = words[at] as Word;
		if (endsSentence(word.before.replace(':', '')) || word.before.includes(',')) return false;
		if (TURNS.has(word.text) || RELATIVES.has(word.text)) return false;
		if (!negators.single.has(word.text) && !word.text.endsWith("n't")) continue;
		const next = words[at + 1];
		return next === undefined || endsSentence(next.before) || next.before.includes(',') || NEEDED.has(next.text);
	}
	return false;
}

/** The same for scripts without blanks: a denying piece shortly before, in the same clause. */
export function isNegatedPiece(text: string, at: number, negators: Negators): boolean {
	const before = text.slice(Math.max(0, at - 6), at);
	const clause = before.slice(Math.max(...[...'。！？；，,.!?;\n'].map((sign) => before.lastIndexOf(sign))) + 1);
	return negators.pieces.some((piece) => clause.includes(piece));
}
