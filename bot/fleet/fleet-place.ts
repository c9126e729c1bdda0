import type { Client, GuildTextBasedChannel } from 'discord.js';
import { createTranslate, type Language, type Translate } from '../catalogue.ts';
import { toDiscordFailure } from '../discord-failure.ts';
import { houseLanguage } from '../house-language.ts';
import type { FleetDeps } from './fleet-deps.ts';

/** The fleet's channel, and what it means when it takes nothing. */
export interface FleetPlace {
	/** A channel that takes posts; undefined while it does not, which the operators are told. Rejects when Discord is away. */
	channel(channelId?: string): Promise<GuildTextBasedChannel | undefined>;
	/** The same for where a card stands; `lost` when that was a former channel of the fleet, which is gone with the card. */
	standing(channelId: string): Promise<GuildTextBasedChannel | 'lost' | undefined>;
	/** Whether a refused request says that the whole place is closed. Then it is left alone for a while. */
	isClosedBy(channelId: string, error: unknown): boolean;
	/** Something changed there: it is tried again at once. */
	reopen(channelId: string): void;
	/** The language of everybody's texts: the house's. */
	language(): Language;
	/** The catalogue in it. */
	words(): Translate;
}

type Closed = 'locked' | 'forbidden' | 'gone';

/** Asking sooner would only bring the same refusal. */
const LEFT_ALONE_MS = 60_000;
const CHANNEL_GONE = 10_003;
const WAITS_FOR_OLD_EDITS = 30_046;

export function createFleetPlace(deps: Pick<FleetDeps, 'client' | 'settings' | 'onWarning' | 'clock'>): FleetPlace {
	const { clock, settings } = deps;
	const closedUntil = new Map<string, number>();

	const language = () => houseLanguage(settings(), deps.client());

	const close = (channelId: string, what: Closed) => {
		closedUntil.set(channelId, clock.now() + LEFT_ALONE_MS);
		const t = createTranslate('en');
		const text = t('fleet.admin.place', {
			channel: `<#${channelId}>`,
			what: t(`fleet.admin.${what}`),
			repair: t(`fleet.admin.${what}Repair`),
		});
		deps.onWarning(`fleet:${channelId}:${what}`, text);
	};

	const isClosedBy = (channelId: string, error: unknown) => {
		const { isPermanent, code, reason } = toDiscordFailure(error);
		if (code === WAITS_FOR_OLD_EDITS) {
			closedUntil.set(channelId, clock.now() + LEFT_ALONE_MS);
			return true;
		}
		const what = code === CHANNEL_GONE ? 'gone' : reason === 'locked' || reason === 'forbidden' ? reason : undefined;
		if (!isPermanent || what === undefined) return false;
		close(channelId, what);
		return true;
	};

	const lookUp = async (client: Client, channelId: string) => {
		try {
			const channel = await client.channels.fetch(channelId);
			if (channel === null || !channel.isTextBased() || channel.isDMBased()) return close(channelId, 'gone');
			if (channel.isThread() && channel.locked === true && !channel.manageable) return close(channelId, 'locked');
			return channel.viewable && channel.isSendable() ? channel : close(channelId, 'forbidden');
		} catch (error) {
			if (isClosedBy(channelId, error)) return undefined;
			throw error;
		}
	};

	const channel: FleetPlace['channel'] = async (channelId = settings().fleet.channelId) => {
		const client = deps.client();
		if (channelId === undefined || !client?.isReady()) return undefined;
		if (clock.now() < (closedUntil.get(channelId) ?? 0)) return undefined;
		return (await lookUp(client, channelId)) ?? undefined;
	};

	return {
		channel,
		async standing(channelId) {
			const client = deps.client();
			if (channelId === settings().fleet.channelId || !client?.isReady()) return channel(channelId);
			try {
				await client.channels.fetch(channelId);
			} catch (error) {
				if (toDiscordFailure(error).code === CHANNEL_GONE) return 'lost';
				throw error;
			}
			return channel(channelId);
		},
		isClosedBy,
		reopen: (channelId) => void closedUntil.delete(channelId),
		language,
		words: () => createTranslate(language()),
	};
}

/** Edits a message. An archived thread takes no edits, so that it is opened for it. */
export async function editIn(
	channel: GuildTextBasedChannel,
	messageId: string,
	payload: Parameters<GuildTextBasedChannel['messages']['edit']>[1],
): Promise<void> {
	try {
		await channel.messages.edit(messageId, payload);
	} catch (error) {
		const isShut = toDiscordFailure(error).reason === 'locked' && channel.isThread() && channel.archived === true;
		if (!isShut) throw error;
		await channel.setArchived(false);
		await channel.messages.edit(messageId, payload);
	}
}

/** The message cannot be edited because it is not there any more; another one can be posted. */
export function isMessageGone(error: unknown): boolean {
	return toDiscordFailure(error).code === 10_008;
}
