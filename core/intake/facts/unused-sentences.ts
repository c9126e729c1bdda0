import { cutText } from '../../chat/sanitise.ts';
import type { Evidence, Fact } from '../fact.ts';
import type { Speech } from '../speech/speech.ts';
import { sentencesOf } from '../speech/words.ts';
import { contentWords } from './content-words.ts';

/** Sentences people said that no kept fact rests on: heard, but not used. Chosen options count as sentences. */
export function unusedSentences(speech: readonly Speech[], facts: readonly Pick<Fact, 'evidence'>[]): Evidence[] {
	const used = facts.flatMap(({ evidence }) => evidence);
	return speech.flatMap(({ turnId, messageId, text }) =>
		sentencesOf(text)
			.filter(({ text: sentence }) => contentWords(sentence).length >= 2)
			.filter(
				({ text: sentence }) =>
					!used.some((one) => one.turnId === turnId && (one.quote.includes(sentence) || sentence.includes(one.quote))),
			)
			.map(({ text: sentence }) => ({ turnId, messageId, quote: cutText(sentence, 300) })),
	);
}
