interface Folded {
	readonly text: string;
	/** Offset in the original of each character of `text`. */
	readonly offsets: readonly number[];
}

/** NFKC, lower-case, blanks as one; with the way back to the original. */
function fold(text: string): Folded {
	let folded = '';
	const offsets: number[] = [];
	let isBlank = true;
	let at = 0;
	for (const sign of text) {
		const plain = sign
			.normalize('NFKC')
			.toLowerCase()
			.replace(/[’‘ʼ]/gu, "'")
			.replace(/[“”„«»]/gu, '"');
		for (const letter of plain) {
			const blank = /\s/u.test(letter);
			if (blank && isBlank) continue;
			isBlank = blank;
			const piece = blank ? ' ' : letter;
			for (let unit = 0; unit < piece.length; unit += 1) offsets.push(at);
			folded += piece;
		}
		at += sign.length;
	}
	offsets.push(at);
	return { text: folded, offsets };
}

/** The words of `text` that a quote repeats, as they were written; undefined when they are not in it. */
export function findQuote(text: string, quote: string): string | undefined {
	const wanted = fold(quote)
		.text.trim()
		.replace(/^(?:\.{3}|…)|(?:\.{3}|…)$/gu, '')
		.trim();
	if (wanted === '') return undefined;
	const folded = fold(text);
	const start = folded.text.indexOf(wanted);
	if (start < 0) return undefined;
	const last = folded.offsets[start + wanted.length - 1] ?? 0;
	const end = folded.offsets.slice(start + wanted.length).find((offset) => offset > last) ?? text.length;
	return text.slice(folded.offsets[start], end).trim();
}

/** Quoted pieces and turn ids of a comment such as `t2 "stock counts"`. */
export function quotesIn(comment: string): string[] {
	return [...comment.matchAll(/"([^"]{2,400})"|“([^”]{2,400})”|«([^»]{2,400})»|„([^“”]{2,400})[“”]/gu)].map(
		(match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? '',
	);
}
