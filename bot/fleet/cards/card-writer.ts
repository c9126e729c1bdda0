import type { GuildTextBasedChannel, Message } from 'discord.js';
import type { CardRecord } from '../../../core/fleet/records.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import { nonceOf } from '../../relay/outgoing.ts';
import { toPayload, type View } from '../../views/view.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import { editIn, type FleetPlace, isMessageGone } from '../fleet-place.ts';
import type { CardFace, CardTop } from './card-face.ts';
import { parseCardId } from './card-id.ts';

/** How writing a card went. `closed`: its place takes nothing now; what it says stays stored. */
export type CardWritten = 'written' | 'closed';

export interface CardWriter {
	post(
		card: Pick<CardRecord, 'id' | 'kind' | 'sessionId' | 'reason'>,
		face: CardFace,
		more: Posting,
	): Promise<CardWritten>;
	/** One that was deleted is posted again while it waits for somebody, and then mentions nobody a second time. */
	edit(record: CardRecord, face: CardFace): Promise<CardWritten>;
	/** What it is about is not stored any more: nothing can be pressed on it. */
	strip(record: CardRecord): Promise<void>;
	/** Posts it again if its message is gone. */
	verify(record: CardRecord, face: CardFace): Promise<void>;
}

export interface Posting extends CardTop {
	/** Since when it is needed, epoch ms: an old one may have been posted before without being noted down. */
	readonly since: number;
	/** The message that was lost. */
	readonly instead?: string;
	readonly settled?: CardRecord['settled'];
	readonly postedAt?: number;
	readonly mentioned?: boolean;
}

/** Discord gives a message back by its nonce for about five minutes. */
const NONCE_MS = 3 * 60_000;

export function createCardWriter(deps: FleetDeps & { readonly place: FleetPlace }): CardWriter {
	const { ports, place, clock, metrics } = deps;

	const post: CardWriter['post'] = async (card, face, more) => {
		const channel = await place.channel();
		if (channel === undefined) return 'closed';
		try {
			const nonce = nonceOf(`${card.id}:${more.instead ?? ''}`, 0);
			const isOld = clock.now() - more.since > NONCE_MS;
			const standing = isOld ? await findStanding(channel, card.id, more.instead) : undefined;
			const message =
				standing ??
				(await channel.send({
					...toPayload(face.view),
					allowedMentions: { parse: [], users: [...more.mentions], repliedUser: false },
					nonce,
					enforceNonce: true,
				}));
			const { instead } = more;
			const known = await ports.places.card(card.id);
			if (known !== undefined && known.messageId !== instead) return 'written';
			// Another process may have posted it first and in an older state; then it is brought up to date.
			const isOurs = standing === undefined && isShowing(message, face.view);
			await ports.places.writeCard({
				...card,
				channelId: channel.id,
				messageId: message.id,
				shownRevision: isOurs ? face.revision : -1,
				shownHash: isOurs ? face.hash : '',
				...(more.headline === undefined ? {} : { headline: more.headline }),
				...(more.settled === undefined ? {} : { settled: more.settled }),
				postedAt: more.postedAt ?? clock.now(),
				mentioned: more.mentioned === true || more.mentions.length > 0,
			});
			metrics.count('discord_panel_writes_total', { kind: 'post' });
			return 'written';
		} catch (error) {
			if (place.isClosedBy(channel.id, error)) return 'closed';
			throw error;
		}
	};

	const again = (record: CardRecord, face: CardFace) => {
		const { headline, postedAt, mentioned, settled, messageId } = record;
		const { id, kind, sessionId, reason } = record;
		const mentions: string[] = [];
		const content = headline === undefined ? '' : (face.view.content ?? '').replace(/^(?:<@\d+> ?)+/, '');
		const view = { ...face.view, content };
		const more = { mentions, headline, since: clock.now(), instead: messageId, postedAt, mentioned };
		return post(
			{ id, kind, sessionId, ...(reason === undefined ? {} : { reason }) },
			{ ...face, view },
			settled === undefined ? more : { ...more, settled },
		);
	};

	const noteShown = (record: CardRecord, face: CardFace) =>
		ports.places.writeCard({ ...record, shownRevision: face.revision, shownHash: face.hash });

	return {
		post,
		async edit(record, face) {
			const channel = await place.standing(record.channelId);
			if (channel === undefined) return 'closed';
			if (channel === 'lost') {
				if (face.isOpen) return again(record, face);
				await noteShown(record, face);
				return 'written';
			}
			// What stands above stays: an edit without it changes no mention and calls nobody again.
			const { content: _, files: __, ...rest } = toPayload(face.view);
			const payload = { ...rest, allowedMentions: { parse: [], users: [...face.mentions] } };
			try {
				await editIn(channel, record.messageId, payload);
				metrics.count('discord_panel_writes_total', { kind: 'edit' });
			} catch (error) {
				if (isMessageGone(error)) {
					if (face.isOpen) return again(record, face);
				} else if (place.isClosedBy(record.channelId, error)) {
					return 'closed';
				} else throw error;
			}
			await noteShown(record, face);
			return 'written';
		},
		async strip(record) {
			const channel = await place.standing(record.channelId);
			if (channel === undefined || channel === 'lost') return;
			try {
				await editIn(channel, record.messageId, { components: [] });
			} catch (error) {
				if (!isMessageGone(error) && !place.isClosedBy(record.channelId, error)) throw error;
			}
		},
		async verify(record, face) {
			const channel = await place.standing(record.channelId);
			if (channel === undefined) return;
			if (channel === 'lost') return void (await again(record, face));
			try {
				await channel.messages.fetch({ message: record.messageId, force: true });
			} catch (error) {
				if (isMessageGone(error)) await again(record, face);
				else if (!place.isClosedBy(record.channelId, error)) throw error;
			}
		},
	};
}

function isShowing(message: Message, { embeds }: View): boolean {
	const fields = embeds?.[0]?.fields?.map(({ value }) => value).join('\n');
	return fields === message.embeds[0]?.fields.map(({ value }) => value).join('\n');
}

/** A card of ours that was posted before and not noted down, because a process ended in between. */
async function findStanding(channel: GuildTextBasedChannel, needId: string, except: string | undefined) {
	const recent = await channel.messages.fetch({ limit: 50, cache: false }).catch((error: unknown) => {
		// Without the right to read history there is nothing to look through.
		if (toDiscordFailure(error).reason === 'forbidden') return undefined;
		throw error;
	});
	return recent?.find(
		({ author, id, components }) =>
			author.id === channel.client.user.id &&
			id !== except &&
			components.some(
				(row) =>
					'components' in row &&
					row.components.some((one) => 'customId' in one && parseCardId(String(one.customId ?? ''))?.needId === needId),
			),
	);
}
