const WORDS: Readonly<Record<string, number>> = Object.fromEntries(
	[
		'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
		'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
		'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
		'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
		'零 一 二 三 四 五 六 七 八 九 十',
	].flatMap((line) => line.split(' ').map((word, value) => [word, value] as const)),
);
const MORE: Readonly<Record<string, number>> = {
	a: 1,
	ein: 1,
	eine: 1,
	einen: 1,
	une: 1,
	una: 1,
	两: 2,
	couple: 2,
	dozen: 12,
	thirty: 30,
	forty: 40,
	fifty: 50,
	sixty: 60,
	seventy: 70,
	eighty: 80,
	ninety: 90,
	hundred: 100,
	thousand: 1_000,
	million: 1_000_000,
	dreißig: 30,
	vierzig: 40,
	fünfzig: 50,
	hundert: 100,
	tausend: 1_000,
	trente: 30,
	cent: 100,
	mille: 1_000,
	cincuenta: 50,
	cien: 100,
	mil: 1_000,
	百: 100,
	千: 1_000,
	万: 10_000,
};
const SCALE: Readonly<Record<string, number>> = {
	k: 1e3,
	m: 1e6,
	mio: 1e6,
	million: 1e6,
	millionen: 1e6,
	millions: 1e6,
	thousand: 1e3,
	tausend: 1e3,
	hundred: 1e2,
	万: 1e4,
	千: 1e3,
	百: 1e2,
	bn: 1e9,
	billion: 1e9,
};
const DIGITS = /\d+(?:[.,'’ \u00a0\u202f]\d{3})*(?:[.,]\d+)?/gu;

function plainValues(lexeme: string): number[] {
	const bare = lexeme.replace(/['’ \u00a0\u202f]/g, '');
	// "1.500" is 1500 here and 1.5 there; both readings count as said.
	const readings = [bare.replace(/,/g, ''), bare.replace(/\./g, '').replace(',', '.'), bare.replace(/[.,]/g, '')];
	return readings.map(Number).filter(Number.isFinite);
}

/** Every number a text says, in digits or small words; "10k" says 10 and 10000. */
export function numbersSaid(text: string): Set<number> {
	const said = new Set<number>();
	const folded = text.normalize('NFKC').toLowerCase();
	for (const match of folded.matchAll(DIGITS)) {
		const behind =
			/^\s?(k|m|mio|millionen|millions|million|thousand|tausend|hundred|billion|bn|万|千|百)(?![\p{L}])/u.exec(
				folded.slice(match.index + match[0].length, match.index + match[0].length + 12),
			)?.[1];
		for (const value of plainValues(match[0])) {
			said.add(value);
			if (behind !== undefined) said.add(value * (SCALE[behind] ?? 1));
		}
		for (const part of match[0].split(/\D+/)) if (part !== '') said.add(Number(part));
	}
	for (const [word] of folded.matchAll(/[\p{L}-]+/gu)) {
		const value = WORDS[word] ?? MORE[word];
		if (value !== undefined) said.add(value);
		if (/[\p{sc=Han}]/u.test(word))
			for (const sign of word) if ((WORDS[sign] ?? MORE[sign]) !== undefined) said.add(WORDS[sign] ?? MORE[sign] ?? 0);
	}
	return said;
}

/** The numbers inside a piece of a fact: `30`, `500ms`, `'2026-12-01'` gives 2026, 12 and 1. */
export function numbersIn(text: string): number[] {
	return [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([digits]) => Number(digits));
}
