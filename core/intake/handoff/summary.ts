import { oneLine, visible } from '../../chat/sanitise.ts';
import { contentWords } from '../facts/content-words.ts';
import { numbersIn, numbersSaid } from '../facts/spoken-numbers.ts';
import { projectSlug } from '../slug.ts';
import type { Speech } from '../speech/speech.ts';
import { sentencesOf, wordsOf } from '../speech/words.ts';

const SUMMARY_MAX = 2_000;

export interface Summary {
	readonly text: string;
	/** Sentences of the model left out because they hold a number or address nobody said. */
	readonly dropped: number;
	readonly isStandIn: boolean;
}

/** The model's summary without what nobody said; the person's own words where nothing is left. */
export function checkedSummary(given: string | undefined, intent: string, speech: readonly Speech[]): Summary {
	const said = speech.map(({ text }) => text).join('\n');
	const numbers = numbersSaid(said);
	const folded = said.toLowerCase();
	const sentences = sentencesOf(visible(given ?? '').slice(0, SUMMARY_MAX * 2));
	const kept = sentences.filter(({ text }) => {
		const links = text.toLowerCase().match(/(?:https?:\/\/|www\.)[^\s,;)]+/g) ?? [];
		return numbersIn(text).every((number) => numbers.has(number)) && links.every((link) => folded.includes(link));
	});
	const dropped = sentences.length - kept.length;
	const text = oneLine(kept.map((sentence) => sentence.text).join(' '), SUMMARY_MAX);
	if (text !== '') return { text, dropped, isStandIn: false };
	return { text: oneLine(intent, SUMMARY_MAX) || 'No description was given.', dropped, isStandIn: true };
}

export interface ProjectName {
	readonly slug: string;
	readonly display: string;
	readonly isStandIn: boolean;
}

/** The given name as a safe slug; without one, the first telling words of the intent. */
export function projectName(given: string | undefined, intent: string, sessionId: string): ProjectName {
	const display = oneLine(given ?? '', 80);
	if (display !== '') return { slug: projectSlug(display, sessionId), display, isStandIn: false };
	const words = wordsOf(intent.slice(0, 1_000))
		.map(({ text }) => text)
		.filter((word) => contentWords(word).length > 0 && /^[\p{Script=Latin}\p{N}-]+$/u.test(word))
		.slice(0, 4);
	const slug = projectSlug(words.join('_'), sessionId);
	return { slug, display: slug, isStandIn: true };
}
