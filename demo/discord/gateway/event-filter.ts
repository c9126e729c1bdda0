import { ChannelType, GatewayIntentBits } from 'discord-api-types/v10';
import type { WorldEvent } from '../state/broadcast.ts';
import { canView } from '../state/permissions.ts';
import type { World } from '../state/world.ts';

const { Guilds, GuildMembers, GuildModeration, GuildPresences, MessageContent } = GatewayIntentBits;
const { GuildMessages, GuildMessageReactions, GuildMessageTyping } = GatewayIntentBits;
const { DirectMessages, DirectMessageReactions, DirectMessageTyping } = GatewayIntentBits;

/** Event → intent needed in the guild, intent needed in direct messages. Events not listed always arrive. */
const intentOf: Record<string, readonly [number, number]> = {
	GUILD_UPDATE: [Guilds, Guilds],
	GUILD_ROLE_CREATE: [Guilds, Guilds],
	GUILD_ROLE_UPDATE: [Guilds, Guilds],
	GUILD_ROLE_DELETE: [Guilds, Guilds],
	CHANNEL_CREATE: [Guilds, 0],
	CHANNEL_UPDATE: [Guilds, Guilds],
	CHANNEL_DELETE: [Guilds, Guilds],
	CHANNEL_PINS_UPDATE: [Guilds, DirectMessages],
	THREAD_CREATE: [Guilds, Guilds],
	THREAD_UPDATE: [Guilds, Guilds],
	THREAD_DELETE: [Guilds, Guilds],
	THREAD_MEMBERS_UPDATE: [Guilds, Guilds],
	GUILD_MEMBER_ADD: [GuildMembers, GuildMembers],
	GUILD_MEMBER_REMOVE: [GuildMembers, GuildMembers],
	GUILD_MEMBER_UPDATE: [GuildMembers, GuildMembers],
	GUILD_BAN_ADD: [GuildModeration, GuildModeration],
	PRESENCE_UPDATE: [GuildPresences, GuildPresences],
	MESSAGE_CREATE: [GuildMessages, DirectMessages],
	MESSAGE_UPDATE: [GuildMessages, DirectMessages],
	MESSAGE_DELETE: [GuildMessages, DirectMessages],
	MESSAGE_DELETE_BULK: [GuildMessages, DirectMessages],
	MESSAGE_REACTION_ADD: [GuildMessageReactions, DirectMessageReactions],
	MESSAGE_REACTION_REMOVE: [GuildMessageReactions, DirectMessageReactions],
	MESSAGE_REACTION_REMOVE_ALL: [GuildMessageReactions, DirectMessageReactions],
	MESSAGE_REACTION_REMOVE_EMOJI: [GuildMessageReactions, DirectMessageReactions],
	TYPING_START: [GuildMessageTyping, DirectMessageTyping],
};

/** Whether a user may hear of the event at all: membership and, for what happens in channels, VIEW_CHANNEL. */
export function mayHear(world: World, userId: string, event: WorldEvent): boolean {
	const scope = event.scope;
	if (scope.kind === 'users') return scope.userIds.includes(userId);
	if (scope.kind === 'guild') return world.accounts.get(userId)?.isMember === true;
	const channel = world.channels.get(scope.channelId);
	return channel !== undefined && canView(world, userId, channel);
}

function channelIdOf(event: WorldEvent): string | undefined {
	return event.scope.kind === 'guild' ? undefined : event.scope.channelId;
}

export function isDirect(world: World, event: WorldEvent): boolean {
	const channelId = channelIdOf(event);
	return channelId !== undefined && world.channels.get(channelId)?.type === ChannelType.DM;
}

/** Whether a session with these intents receives the event, permissions aside. */
export function isIntended(world: World, intents: number, event: WorldEvent, payload: object, botId: string): boolean {
	const needed = intentOf[event.type];
	if (needed === undefined) return true;
	const intent = needed[isDirect(world, event) ? 1 : 0];
	if (intent === 0 || (intents & intent) !== 0) return true;
	// A bot always hears what happens to its own membership.
	if (event.type === 'GUILD_MEMBER_UPDATE') return (payload as { user?: { id: string } }).user?.id === botId;
	return event.type === 'THREAD_MEMBERS_UPDATE' && concernsMember(payload, botId);
}

function concernsMember(payload: object, botId: string): boolean {
	const { added_members, removed_member_ids } = payload as {
		added_members?: { user_id: string }[];
		removed_member_ids?: string[];
	};
	return added_members?.some((one) => one.user_id === botId) === true || removed_member_ids?.includes(botId) === true;
}

interface ContentBearer {
	content?: string;
	author?: { id: string };
	mentions?: { id: string }[];
	guild_id?: string;
	referenced_message?: ContentBearer | null;
}

/**
 * Empties what only bots with the message content intent may read. Exempt, as at Discord: direct messages,
 * the bot's own messages, and messages that mention it.
 */
export function stripContent<T extends object>(payload: T, botId: string, isDirectMessage: boolean): T {
	const message: ContentBearer = payload;
	if (isDirectMessage || message.content === undefined) return payload;
	const quoted = message.referenced_message;
	const quotedStripped = quoted ? { referenced_message: stripContent(quoted, botId, false) } : {};
	const exempt = message.author?.id === botId || message.mentions?.some((one) => one.id === botId) === true;
	if (exempt) return { ...payload, ...quotedStripped };
	return { ...payload, content: '', embeds: [], attachments: [], components: [], ...quotedStripped };
}

export function mayReadContent(intents: number): boolean {
	return (intents & MessageContent) !== 0;
}
