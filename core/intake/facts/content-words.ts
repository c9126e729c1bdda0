import { isUnspaced, wordsOf } from '../speech/words.ts';

const STOP = new Set(
	`a an and any are as at be by can do does for from get has have i if in into is it its just me my need needs no not of
	on or our please should so some that the their them there they this to us use used uses want wants was we what when
	which who will with would you your true false yes der die das und oder ein eine einen mit für von zu im in ist sind wir
	ich es nicht auch auf soll sollen brauchen le la les un une et ou de des du pour avec est nous je el los las y o con para
	es son que type kind`.split(/\s+/),
);

/** Words that say something, cut to their stem; scripts without blanks give pairs of characters. */
export function contentWords(text: string): string[] {
	return wordsOf(text.replaceAll('_', ' ')).flatMap(({ text: word }) => {
		if (isUnspaced(word)) return pairs(word);
		return word
			.split(/[-.']/)
			.filter((part) => part.length > 1 && !STOP.has(part))
			.map(stem);
	});
}

function pairs(word: string): string[] {
	const letters = Array.from(word);
	return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

/** Endings of number and tense away; then at most seven letters, so that relatives meet. */
function stem(word: string): string {
	const plain = word.normalize('NFKD').replace(/\p{M}+/gu, '');
	const single = plain.replace(/ies$/, 'y').replace(/(?<=[^s]{2})s$/, '');
	const bare = single.length > 4 ? single.replace(/(?:ing|ed|er|en|e)$/, '') : single;
	return (bare.length >= 3 ? bare : plain).slice(0, 7);
}
