import { type Message, MessageType } from 'discord.js';
import type { Names } from './readable-text.ts';

/** A Discord message as plain data: what the router decides on, without the library's objects. */
export interface IncomingMessage {
	readonly id: string;
	readonly guildId: string | null;
	readonly channelId: string;
	/** The channel a thread belongs to. */
	readonly parentId: string | null;
	readonly author: { readonly id: string; readonly name: string };
	/** Bots and webhooks. */
	readonly isBot: boolean;
	/** Joins, pins, thread names: nobody wrote them. */
	readonly isSystem: boolean;
	readonly content: string;
	/** Words for what is not text: files, stickers, polls, forwarded messages. */
	readonly extras: readonly string[];
	readonly at: number;
	readonly reply?: { readonly id: string; readonly authorId?: string };
	readonly names: Names;
	/** The role that Discord made for our application, which people pick instead of the account. */
	readonly ownRoleId?: string;
}

/** Takes apart a discord.js message. Narrows everything that may be missing from caches. */
export function toIncoming(message: Message): IncomingMessage {
	const { guild, author, member, reference, client } = message;
	const parent = message.channel.isThread() ? message.channel.parentId : null;
	const replied = message.type === MessageType.Reply ? reference?.messageId : undefined;
	const ownRoleId = guild?.roles.botRoleFor(client.user)?.id;
	return {
		id: message.id,
		guildId: message.guildId,
		channelId: message.channelId,
		parentId: parent,
		author: { id: author.id, name: member?.displayName ?? author.displayName },
		isBot: author.bot || message.webhookId !== null,
		isSystem: message.system || author.system,
		content: message.content,
		extras: extrasOf(message),
		at: message.createdTimestamp,
		...(replied === undefined ? {} : { reply: { id: replied, ...authorOfReplied(message) } }),
		...(ownRoleId === undefined ? {} : { ownRoleId }),
		names: {
			user: (id) => guild?.members.cache.get(id)?.displayName ?? message.mentions.users.get(id)?.displayName,
			role: (id) => guild?.roles.cache.get(id)?.name,
			channel: (id) => {
				const channel = client.channels.cache.get(id);
				return channel !== undefined && 'name' in channel && channel.name !== null ? channel.name : undefined;
			},
		},
	};
}

function authorOfReplied(message: Message): { authorId?: string } {
	const replied = message.mentions.repliedUser?.id;
	return replied === undefined ? {} : { authorId: replied };
}

function extrasOf(message: Message): string[] {
	const forwarded = message.messageSnapshots.map((snapshot) => `forwarded: ${(snapshot.content ?? '').slice(0, 500)}`);
	return [
		...forwarded,
		...message.attachments.map((file) => `${kindOfFile(file.contentType)}: ${file.name}`),
		...message.stickers.map((sticker) => `sticker: ${sticker.name}`),
		...(message.poll === null ? [] : [`poll: ${message.poll.question.text ?? ''}`]),
	].map((extra) => `[${extra.replace(/\s+/g, ' ').trim()}]`);
}

function kindOfFile(contentType: string | null): string {
	const kind = /^(image|video|audio)\//.exec(contentType ?? '')?.[1];
	return kind ?? 'file';
}
