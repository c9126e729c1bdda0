import {
	type AnyThreadChannel,
	ChannelType,
	type Client,
	type Message,
	type TextChannel,
	ThreadAutoArchiveDuration,
} from 'discord.js';
import { toDiscordFailure } from '../discord-failure.ts';

export interface ThreadWish {
	readonly channelId: string;
	readonly name: string;
	readonly isPrivate: boolean;
	/** Message that a public thread hangs on. */
	readonly message?: Message;
}

export type OpenedThread =
	| {
			readonly kind: 'opened';
			readonly thread: AnyThreadChannel;
			readonly isPublic: boolean;
			readonly isFresh: boolean;
	  }
	| { readonly kind: 'not_here' }
	| { readonly kind: 'refused'; readonly code: number; readonly permissions: string };

/** Opens a thread for an intake: private where wished and possible, else public. Rejects when Discord cannot be asked. */
export async function openThread(client: Client, wish: ThreadWish): Promise<OpenedThread> {
	const channel = await textChannel(client, wish.channelId);
	if (channel === undefined) return { kind: 'not_here' };
	const common = { name: wish.name, autoArchiveDuration: ThreadAutoArchiveDuration.OneWeek };
	if (wish.isPrivate) {
		try {
			const thread = await channel.threads.create({ ...common, type: ChannelType.PrivateThread, invitable: false });
			return { kind: 'opened', thread, isPublic: false, isFresh: true };
		} catch (error) {
			const { isPermanent, reason } = toDiscordFailure(error);
			if (!isPermanent || reason !== 'forbidden') return refusal(error);
		}
	}
	try {
		const thread =
			wish.message?.channelId === channel.id
				? await wish.message.startThread(common)
				: await channel.threads.create({ ...common, type: ChannelType.PublicThread });
		return { kind: 'opened', thread, isPublic: true, isFresh: true };
	} catch (error) {
		const standing = wish.message && toDiscordFailure(error).code === 160_004 ? wish.message.id : undefined;
		const thread = standing === undefined ? null : await client.channels.fetch(standing);
		// It was opened for this very message before; a process ended in between.
		if (thread?.isThread() && thread.ownerId === client.user?.id)
			return { kind: 'opened', thread, isPublic: true, isFresh: false };
		return refusal(error);
	}
}

/** The channel itself, or the one that a thread belongs to; undefined where no threads can be. */
async function textChannel(client: Client, channelId: string): Promise<TextChannel | undefined> {
	const channel = await client.channels.fetch(channelId).catch((error: unknown) => {
		if (toDiscordFailure(error).isPermanent) return null;
		throw error;
	});
	if (channel?.isThread()) return channel.parent?.type === ChannelType.GuildText ? channel.parent : undefined;
	return channel?.type === ChannelType.GuildText ? channel : undefined;
}

function refusal(error: unknown): OpenedThread {
	const { isPermanent, code } = toDiscordFailure(error);
	if (!isPermanent) throw error;
	const permissions = 'View Channel, Create Private Threads, Create Public Threads, Send Messages in Threads';
	return { kind: 'refused', code, permissions };
}
