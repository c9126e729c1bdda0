import type { Question } from '../../../core/fleet/question.ts';
import type { CardRecord } from '../../../core/fleet/records.ts';
import { reminderAt, withReminder } from '../../../core/fleet/reminder.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import { mentionsFor } from '../../../core/fleet/trust.ts';
import { nonceOf } from '../../relay/outgoing.ts';
import { inline, toPayload } from '../../views/view.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import type { FleetPlace } from '../fleet-place.ts';
import type { FleetScene } from '../fleet-scene.ts';
import { stamp } from '../plain-text.ts';
import { cardHead } from './card-parts.ts';

/** Brings open questions up again at growing gaps, a few times. Gives when the next one is due, epoch ms. */
export function createReminders(
	deps: Pick<FleetDeps, 'ports' | 'settings' | 'clock' | 'log'> & { readonly place: FleetPlace },
): (scene: FleetScene) => Promise<number | undefined> {
	const { ports, place, settings, clock, log } = deps;

	const post = async (question: Question, card: CardRecord, session: FleetSession | undefined) => {
		const channel = await place.channel(card.channelId);
		if (channel === undefined) return;
		const t = place.words();
		const text = t('fleet.card.reminder', {
			name: inline(question.sessionName, 80),
			when: stamp(question.openedAt),
			question: inline(question.text, 300),
		});
		const mentions = mentionsFor(session, settings().fleet);
		await channel
			.send({
				...toPayload({ content: [cardHead(mentions, undefined), text].join(' ').trim() }),
				allowedMentions: { parse: [], users: [...mentions], repliedUser: false },
				reply: { messageReference: card.messageId, failIfNotExists: false },
				nonce: nonceOf(`${question.id}:reminder:${question.revision}`, 0),
				enforceNonce: true,
			})
			.catch((error: unknown) => {
				if (!place.isClosedBy(channel.id, error)) throw error;
			});
	};

	return async (scene) => {
		let next: number | undefined;
		for (const card of scene.cards) {
			const question = scene.questions.get(card.id);
			if (question === undefined) continue;
			const session = scene.sessions.get(card.sessionId);
			const at = reminderAt(question, card.postedAt, session?.muted === true, settings().fleet);
			if (at === undefined) continue;
			if (at > clock.now()) {
				next = Math.min(next ?? at, at);
				continue;
			}
			const reminded = withReminder(question, clock.now());
			// Saved first: a process that ends in between loses one reminder, and of two processes one posts it.
			if (!(await ports.questions.save(reminded, []))) continue;
			await post(reminded, card, session).catch((error: unknown) =>
				log.warn({ error, needId: card.id }, 'a reminder was not posted'),
			);
			const after = reminderAt(reminded, card.postedAt, false, settings().fleet);
			if (after !== undefined) next = Math.min(next ?? after, after);
		}
		return next;
	};
}
