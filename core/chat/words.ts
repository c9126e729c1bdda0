import { visible } from './sanitise.ts';

/** Small words of English and German, and chat noise, that say nothing about a topic. */
const STOP = new Set(
	`a about after again all also am an and any are as at be because been but by can cant could did do does dont for from
	get go going got had has have he her here hey him his how i if im in into is isnt it its ive just know like lol me
	more my no not now of off oh ok okay on one or our out over really she so some still than that thats the their them
	then there they thing this to too up us was we well were what when where which who why will with would yeah yes you
	your youre aber als am an auch auf aus bei bin bist da dann das dass dein dem den der des die doch du ein eine einen
	er es für gar hab habe haben hast hat ich ihr im in ist ja jetzt kann kein mal man mein mich mir mit nach nein nicht
	noch nur oder schon sehr sich sie sind so und uns von vor war was wenn wer wie wieder wir wird wo zu zum zur haha
	hmm please thanks bitte danke`.split(/\s+/),
);

const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * The telling units of a text: words without stop words, cut to their first six letters so that endings weigh little;
 * scripts without blanks give every three neighbouring characters instead.
 */
export function topicUnits(text: string): Set<string> {
	const units = new Set<string>();
	for (const [word] of visible(text.slice(0, 4_000))
		.normalize('NFKC')
		.toLowerCase()
		.replaceAll("'", '')
		.matchAll(WORD)) {
		if (UNSPACED.test(word)) for (const gram of grams(word)) units.add(gram);
		else if (word.length > 2 && !STOP.has(word)) units.add(word.slice(0, 6));
	}
	return units;
}

function grams(word: string): string[] {
	const letters = Array.from(word);
	if (letters.length <= 3) return [word];
	return letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(''));
}

/** Share of common units (Jaccard), 0 to 1; two empty sets are alike. */
export function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
	if (left.size === 0 && right.size === 0) return 1;
	let common = 0;
	for (const unit of left) if (right.has(unit)) common += 1;
	return common / (left.size + right.size - common);
}
