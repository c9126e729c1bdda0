import { likeness, topicUnits } from '../../chat/words.ts';
import type { Finding, TriggerInput } from './finding.ts';

/** Lines that the new talk is compared with. */
const COMPARED = 12;

/**
 * Fires when the talk since the last decision shares next to no words with the talk before it. Both sides need enough
 * words to be judged, and a room that just changed its topic is left alone for a while.
 */
export function topicChange({ fresh, past, now, settings, topicAt }: TriggerInput): Finding | undefined {
	const { maxSimilarity, minMessages, minWords, quietMs } = settings.gate.topicChange;
	const last = fresh.at(-1);
	if (last === undefined || fresh.length < minMessages || now - topicAt < quietMs) return undefined;
	const before = past.slice(-COMPARED);
	if (before.length < minMessages) return undefined;
	const newUnits = topicUnits(fresh.map(({ text }) => text).join(' \n '));
	const oldUnits = topicUnits(before.map(({ text }) => text).join(' \n '));
	if (newUnits.size < minWords || oldUnits.size < minWords) return undefined;
	const similarity = likeness(newUnits, oldUnits);
	if (similarity >= maxSimilarity) return undefined;
	return {
		trigger: 'topic_change',
		evidence: {
			trigger: 'topic_change',
			messageIds: fresh.map(({ id }) => id),
			counts: { messages: fresh.length, similarityPercent: Math.round(similarity * 100) },
			note: `${Math.round(similarity * 100)} % of words in common with the talk before`,
		},
		since: last.at,
		newestAt: last.at,
	};
}
