import type { OutboxItem, OutboxShown } from '../../core/fleet/outbox.ts';
import type { CardRecord } from '../../core/fleet/records.ts';
import { nonceOf } from '../relay/outgoing.ts';
import { toPayload } from '../views/view.ts';
import type { CardKeeper } from './cards/card-keeper.ts';
import { cardHead } from './cards/card-parts.ts';
import type { FleetDeps } from './fleet-deps.ts';
import type { FleetPlace } from './fleet-place.ts';
import { readFleetScene } from './fleet-scene.ts';
import { plainText } from './plain-text.ts';
import { readSession } from './threads/mute-session.ts';

export interface ShowNoticeDeps extends FleetDeps {
	readonly place: FleetPlace;
	readonly cards: Pick<CardKeeper, 'post'>;
	/** Cards may have been posted. */
	readonly onPosted: () => void;
}

/** Closed places and lost sessions open again by people's doing; asking sooner would only repeat the refusal. */
const LATER: OutboxShown = { laterMs: 5_000 };
const LONGEST = 1_900;

/** Shows cards and notices in the fleet's channel. Rejects when Discord is away, and then it is tried again. */
export function createShowNotice(
	deps: ShowNoticeDeps,
): (item: Extract<OutboxItem, { kind: 'cards' | 'notice' }>) => Promise<OutboxShown> {
	const { ports, place, cards } = deps;

	const showCards = async (item: Extract<OutboxItem, { kind: 'cards' }>): Promise<OutboxShown> => {
		const { needs } = await readFleetScene(ports);
		// A need that is over by now needs no card, and one that has a card gets no second.
		for (const need of needs.filter(({ id }) => item.needIds.includes(id)))
			if ((await cards.post(need, item.headline)) === 'closed') return LATER;
		deps.onPosted();
		return 'shown';
	};

	/** A reminder belongs below its card, and to nobody once the question is settled. */
	const reminded = async (itemId: string): Promise<'over' | CardRecord | undefined> => {
		const needId = /^reminder:([a-z0-9]+):/.exec(itemId)?.[1];
		if (needId === undefined) return undefined;
		const question = await ports.questions.read(needId);
		return question?.state === 'open' ? ports.places.card(needId) : 'over';
	};

	const showNotice = async (item: Extract<OutboxItem, { kind: 'notice' }>): Promise<OutboxShown> => {
		const session = item.sessionId === undefined ? undefined : await readSession(ports.sessions, item.sessionId);
		const card = await reminded(item.id);
		if (card === 'over' || (card !== undefined && session?.muted === true)) return 'dropped';
		const channel = await place.channel(card?.channelId);
		if (channel === undefined) return LATER;
		const mentions = session?.muted === true ? [] : item.mention;
		const head = cardHead(mentions, undefined);
		const content = `${head}${head === '' ? '' : ' '}${plainLines(item.texts?.[place.language()] ?? item.text)}`;
		try {
			await channel.send({
				...toPayload({ content }),
				allowedMentions: { parse: [], users: [...mentions], repliedUser: false },
				...(card === undefined ? {} : { reply: { messageReference: card.messageId, failIfNotExists: false as const } }),
				nonce: nonceOf(`fleet:${item.id}`, 0),
				enforceNonce: true,
			});
			return 'shown';
		} catch (error) {
			if (place.isClosedBy(channel.id, error)) return LATER;
			throw error;
		}
	};

	return async (item) => {
		if (!deps.client()?.isReady()) throw new Error('no discord session');
		return item.kind === 'cards' ? showCards(item) : showNotice(item);
	};
}

/** Our own lists stay lists; whatever else looks like mark-up shows as it was written. */
function plainLines(text: string): string {
	return plainText(text, LONGEST).replace(/^(\s*)\\-(?=\s)/gm, '$1-');
}
