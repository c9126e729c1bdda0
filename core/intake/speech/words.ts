/** One word of a text with its place. */
export interface Word {
	/** Lower-case, typographic apostrophes made plain. */
	readonly text: string;
	readonly at: number;
	readonly end: number;
	/** What stands between it and the word before, without blanks. */
	readonly before: string;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu;
/** Scripts written without blanks; there words are searched as pieces of text. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

export function isUnspaced(text: string): boolean {
	return UNSPACED.test(text);
}

export function wordsOf(text: string): Word[] {
	const words: Word[] = [];
	let last = 0;
	for (const match of text.matchAll(WORD)) {
		const at = match.index;
		words.push({
			text: match[0].toLowerCase().replaceAll('’', "'"),
			at,
			end: at + match[0].length,
			before: text.slice(last, at).replace(/[^\S\n]+/g, ''),
		});
		last = at + match[0].length;
	}
	return words;
}

/** Where a phrase (lower-case words) begins in a list of words; hyphen and blank count alike. */
export function phraseStarts(words: readonly Word[], phrase: readonly string[]): number[] {
	const starts: number[] = [];
	const last = words.length - phrase.length;
	for (let start = 0; start <= last; start += 1)
		if (phrase.every((part, offset) => words[start + offset]?.text === part)) starts.push(start);
	return starts;
}

const SENTENCE = /[^.!?。！？\n]+(?:[.!?]+(?=[^\s"')\]])[^.!?。！？\n]*)*[.!?。！？]*["')\]]*/gu;

export interface Sentence {
	readonly text: string;
	readonly at: number;
}

/** Sentences as written, line by line; a dot inside a word or number ends none. */
export function sentencesOf(text: string): Sentence[] {
	const sentences: Sentence[] = [];
	for (const match of text.matchAll(SENTENCE)) {
		const trimmed = match[0].trim();
		if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push({ text: trimmed, at: match.index + match[0].indexOf(trimmed) });
	}
	return sentences;
}
