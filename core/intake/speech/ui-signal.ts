import type { LanguageWords } from '../../../config/intake-words.ts';
import type { Evidence } from '../fact.ts';
import { isNegated, isNegatedPiece, type Negators, negatorsOf } from './negation.ts';
import type { Speech } from './speech.ts';
import { isUnspaced, phraseStarts, wordsOf } from './words.ts';

export interface UiHit extends Evidence {
	/** The word of the list. */
	readonly word: string;
	readonly denied: boolean;
}

export interface UiSignal {
	readonly required: boolean;
	/** In the order said. */
	readonly hits: readonly UiHit[];
}

/**
 * Did people ask for a user interface? Whole words of all languages' lists, denial taken into account. Of several mentions
 * of one word the last counts; "headless" and the like takes back everything said before.
 */
export function uiSignal(speech: readonly Speech[], languages: readonly LanguageWords[]): UiSignal {
	const negators = negatorsOf(languages);
	const wanted = languages.flatMap(({ ui }) => ui.map((word) => word.toLowerCase()));
	const refused = languages.flatMap(({ noUi }) => noUi.map((word) => word.toLowerCase()));
	const hits: UiHit[] = [];
	const state = new Map<string, boolean>();
	for (const piece of speech) {
		const found = [
			// "Headless" is a denial by itself, so a "no" further off belongs to another word; "not headless" says nothing.
			...hitsIn(piece, refused, negators, 1)
				.filter(({ denied }) => !denied)
				.map((hit) => ({ ...hit, denied: true, clears: true })),
			...hitsIn(piece, wanted, negators).map((hit) => ({ ...hit, clears: false })),
		].sort((left, right) => left.at - right.at);
		for (const { at: _, clears, ...hit } of found) {
			if (clears) state.clear();
			else state.set(hit.word, !hit.denied);
			hits.push(hit);
		}
	}
	return { required: [...state.values()].some(Boolean), hits };
}

type PlacedHit = UiHit & { readonly at: number };

function hitsIn(piece: Speech, list: readonly string[], negators: Negators, reach?: number): PlacedHit[] {
	const words = wordsOf(piece.text);
	// Hyphenated words count as written and as their parts: "front-end", "web-app", "UI-heavy".
	const parts = words.flatMap((word) =>
		word.text.includes('-')
			? wordsOf(piece.text.slice(word.at, word.end).replaceAll('-', ' ')).map((part) => ({
					...part,
					at: part.at + word.at,
					end: part.end + word.at,
					before: part.at === 0 ? word.before : '',
				}))
			: [word],
	);
	const hits: PlacedHit[] = [];
	const add = (word: string, at: number, end: number, denied: boolean) =>
		hits.push({ word, at, denied, turnId: piece.turnId, messageId: piece.messageId, quote: piece.text.slice(at, end) });
	const entries = new Set(list.map((entry) => (isUnspaced(entry) ? entry : entry.replaceAll('-', ' '))));
	for (const entry of entries) {
		if (isUnspaced(entry)) {
			for (let at = piece.text.indexOf(entry); at >= 0; at = piece.text.indexOf(entry, at + entry.length))
				add(entry, at, at + entry.length, isNegatedPiece(piece.text, at, negators));
			continue;
		}
		const phrase = entry.split(/\s+/);
		for (const start of phraseStarts(parts, phrase)) {
			const end = start + phrase.length;
			add(entry, parts[start]?.at ?? 0, parts[end - 1]?.end ?? 0, isNegated(parts, start, end, negators, reach));
		}
	}
	return hits;
}
