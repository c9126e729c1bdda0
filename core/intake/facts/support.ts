import { cutText } from '../../chat/sanitise.ts';
import type { Evidence } from '../fact.ts';
import { isNegated, isNegatedPiece, type Negators } from '../speech/negation.ts';
import type { Speech } from '../speech/speech.ts';
import { isUnspaced, type Sentence, sentencesOf, wordsOf } from '../speech/words.ts';
import { contentWords } from './content-words.ts';
import { findQuote } from './find-quote.ts';

const QUOTE_MAX = 300;
/** Share of a fact's own words that must occur. */
export const SUPPORT_SHARE = 0.6;

export interface Support {
	readonly evidence: readonly Evidence[];
	/** Every place found says the opposite. */
	readonly denied: boolean;
}

interface Said {
	readonly speech: Speech;
	readonly sentence: Sentence;
	readonly words: ReadonlySet<string>;
}

/** What people said, cut up once for all facts of a block. */
export interface SpeechIndex {
	readonly pieces: readonly Speech[];
	readonly said: readonly Said[];
}

export function indexSpeech(pieces: readonly Speech[]): SpeechIndex {
	return {
		pieces,
		said: pieces.flatMap((speech) =>
			sentencesOf(speech.text).map((sentence) => ({ speech, sentence, words: new Set(contentWords(sentence.text)) })),
		),
	};
}

function evidenceOf(speech: Speech, quote: string): Evidence {
	return { turnId: speech.turnId, messageId: speech.messageId, quote: cutText(quote, QUOTE_MAX) };
}

/** Words the model says a fact rests on, found where they were said; a quote of one small word proves nothing. */
export function quotedSupport(quotes: readonly string[], { pieces }: SpeechIndex): Evidence[] {
	return quotes.flatMap((quote) => {
		for (const speech of pieces) {
			const found = findQuote(speech.text, quote);
			if (found === undefined) continue;
			const isWhole = found.length >= speech.text.trim().length - 1;
			const enough = contentWords(found).length >= 2 || (isWhole && contentWords(found).length >= 1) || speech.chosen;
			if (enough) return [evidenceOf(speech, found)];
		}
		return [];
	});
}

/**
 * Sentences that hold the fact's own words: the one that holds most of them, or the few that hold them together. Sentences
 * that deny the words are passed over; when there are only such, `denied` is true.
 */
export function lexicalSupport(tokens: readonly string[], index: SpeechIndex, negators: Negators): Support {
	const wanted = [...new Set(tokens)];
	if (wanted.length === 0) return { evidence: [], denied: false };
	const scored = index.said
		.map((said) => ({ said, hits: wanted.filter((token) => said.words.has(token)) }))
		.filter(({ hits }) => hits.length > 0);
	const open = scored.filter(({ said, hits }) => !deniesAll(said, hits, negators));
	const need = Math.ceil(wanted.length * SUPPORT_SHARE - 1e-9);
	const best = pick(open, need);
	if (best !== undefined)
		return { evidence: best.map(({ said }) => evidenceOf(said.speech, said.sentence.text)), denied: false };
	return { evidence: [], denied: pick(scored, need) !== undefined };
}

type Scored = { readonly said: Said; readonly hits: readonly string[] };

function pick(scored: readonly Scored[], need: number): Scored[] | undefined {
	const chosen: Scored[] = [];
	const covered = new Set<string>();
	for (const one of [...scored].sort((left, right) => right.hits.length - left.hits.length)) {
		if (covered.size >= need || chosen.length === 3) break;
		if (one.hits.every((hit) => covered.has(hit))) continue;
		chosen.push(one);
		for (const hit of one.hits) covered.add(hit);
	}
	return covered.size >= need && chosen.length > 0 ? chosen : undefined;
}

/** Does the sentence deny each of these words wherever it has it? */
function deniesAll({ sentence }: Said, hits: readonly string[], negators: Negators): boolean {
	return isDenied(sentence.text, hits, negators);
}

/** Is every word that matches one of the stems denied in this text? False when none matches. */
export function isDenied(text: string, stems: readonly string[], negators: Negators): boolean {
	const words = wordsOf(text);
	const wanted = new Set(stems);
	let found = 0;
	let denied = 0;
	words.forEach((word, at) => {
		if (!contentWords(word.text).some((one) => wanted.has(one))) return;
		found += 1;
		const says = isUnspaced(word.text)
			? isNegatedPiece(text, firstOf(text, wanted, word.at), negators)
			: isNegated(words, at, at + 1, negators);
		if (says) denied += 1;
	});
	return found > 0 && denied === found;
}

function firstOf(text: string, wanted: ReadonlySet<string>, from: number): number {
	const places = [...wanted].map((piece) => text.indexOf(piece, from)).filter((place) => place >= 0);
	return places.length > 0 ? Math.min(...places) : from;
}
