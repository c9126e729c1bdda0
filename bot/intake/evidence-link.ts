import type { Evidence } from '../../core/intake/fact.ts';
import type { IntakeSession } from '../../core/intake/session.ts';

/** Address of the message that words of a person stand in. */
export type EvidenceLink = (evidence: Pick<Evidence, 'turnId' | 'messageId'>) => string;

/**
 * Jump links of a session. Words from a form stand in no message of the person: they lead to the card that shows them, the
 * wish from a command to the progress card.
 */
export function evidenceLink(session: IntakeSession, cards: ReadonlyMap<string, string>): EvidenceLink {
	const { place } = session;
	const thread = place.kind === 'discord' ? `${place.guildId}/${place.threadId}` : '@me';
	const parent = place.kind === 'discord' ? `${place.guildId}/${place.channelId}` : '@me';
	return ({ turnId, messageId }) => {
		const turn = session.history.find(({ id }) => id === turnId);
		if (/^\d{17,20}$/.test(messageId)) {
			// The wish may be a message of the channel that the thread was opened in.
			const isWish = turn?.kind === 'intent';
			return `https://discord.com/channels/${isWish ? parent : thread}/${messageId}`;
		}
		const round = /^q(\d+)\./.exec(turn?.choices[0]?.questionId ?? '')?.[1];
		const card = (round === undefined ? undefined : cards.get(`r${round}`)) ?? cards.get('progress');
		return `https://discord.com/channels/${thread}${card === undefined ? '' : `/${card}`}`;
	};
}
