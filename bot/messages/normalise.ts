import type { RoomSettings } from '../../config/rooms.ts';
import { type ChatMessage, SELF } from '../../core/chat/message.ts';
import type { IncomingMessage } from './incoming.ts';
import { mentionedIds, readableText } from './readable-text.ts';

export interface NormaliseContext {
	readonly selfId: string;
	/** Name people see; our own mention reads like it. */
	readonly name: string;
	readonly rooms: readonly RoomSettings[];
	/** The only guild we listen to, when one is configured. */
	readonly guildId?: string | undefined;
	/** Other places that somebody listens to; they become `discord:<channel id>`. */
	readonly listensTo?: ((place: { channelId: string; parentId: string | null }) => boolean) | undefined;
}

export type Normalised =
	| { readonly kind: 'message'; readonly message: ChatMessage }
	| { readonly kind: 'ignored'; readonly reason: IgnoreReason };

type IgnoreReason = 'own' | 'system' | 'other_guild' | 'other_channel' | 'empty';

/** Decides whether a Discord message goes on the bus, and as what. */
export function normalise(incoming: IncomingMessage, context: NormaliseContext): Normalised {
	const ignored = (reason: IgnoreReason): Normalised => ({ kind: 'ignored', reason });
	if (incoming.author.id === context.selfId) return ignored('own');
	if (incoming.isSystem) return ignored('system');
	if (context.guildId !== undefined && incoming.guildId !== context.guildId) return ignored('other_guild');
	const room = placeOf(incoming, context);
	if (room === undefined) return ignored('other_channel');
	const text = textOf(incoming, context);
	if (text === '') return ignored('empty');
	const { reply } = incoming;
	return {
		kind: 'message',
		message: {
			id: incoming.id,
			room,
			author: incoming.author,
			bot: incoming.isBot,
			text,
			at: incoming.at,
			...(reply === undefined ? {} : { replyTo: { id: reply.id, toBot: reply.authorId === context.selfId } }),
			mentions: mentionsOf(incoming, context),
			source: 'discord',
		},
	};
}

/** The room of a channel, `discord:<id>` for other places somebody listens to, else undefined. */
function placeOf(
	place: { readonly channelId: string; readonly parentId: string | null },
	context: Pick<NormaliseContext, 'rooms' | 'listensTo'>,
): string | undefined {
	const room = context.rooms.find((candidate) => candidate.channelId === place.channelId);
	if (room !== undefined) return room.id;
	return context.listensTo?.(place) ? `discord:${place.channelId}` : undefined;
}

function textOf(incoming: IncomingMessage, context: NormaliseContext): string {
	const names = {
		...incoming.names,
		user: (id: string) => (id === context.selfId ? context.name : incoming.names.user(id)),
		role: (id: string) => (id === incoming.ownRoleId ? context.name : incoming.names.role(id)),
	};
	return [readableText(incoming.content, names).trim(), ...incoming.extras].filter((part) => part !== '').join(' ');
}

function mentionsOf(incoming: IncomingMessage, context: NormaliseContext): string[] {
	const { users, roles } = mentionedIds(incoming.content);
	const isUs =
		users.includes(context.selfId) || (incoming.ownRoleId !== undefined && roles.includes(incoming.ownRoleId));
	const others = users.filter((id) => id !== context.selfId);
	return isUs ? [SELF, ...others] : others;
}
