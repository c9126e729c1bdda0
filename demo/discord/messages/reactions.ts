import { refusal } from '../discord-error.ts';
import type { Channel, Message, Reaction } from '../state/model.ts';
import { demand } from '../state/permissions.ts';
import { isGuildChannel, renderMemberWithUser } from '../state/render.ts';
import type { World } from '../state/world.ts';
import { messageScope } from './poster.ts';

const maxKinds = 20;
const pictograph = /^(\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\u{FE0F}?\u{20E3})/u;

/** Reads the emoji of a request path: a pictograph, or `name:id` of a custom one (this guild has none → 10014). */
export function parseEmoji(raw: string): { id: string | null; name: string } {
	if (pictograph.test(raw) && [...raw].length <= 12) return { id: null, name: raw };
	throw refusal('unknownEmoji');
}

function announce(world: World, type: string, message: Message, payload: object, userId?: string): void {
	const account = world.accounts.get(userId ?? '');
	const inGuild = isGuildChannel(world, message.channelId);
	world.events.publish({
		type,
		scope: messageScope(message),
		render: () => ({
			channel_id: message.channelId,
			message_id: message.id,
			...(inGuild ? { guild_id: world.guildId } : {}),
			...(account === undefined ? {} : { user_id: account.id }),
			...(inGuild && account !== undefined && type === 'MESSAGE_REACTION_ADD'
				? { member: renderMemberWithUser(account) }
				: {}),
			...(type === 'MESSAGE_REACTION_ADD' ? { message_author_id: message.authorId } : {}),
			...payload,
		}),
	});
}

const eventDetails = (reaction: Reaction): object => ({
	emoji: { id: reaction.emojiId, name: reaction.emojiName },
	burst: false,
	type: 0,
});

/** Throws 10014, 30010 (20 kinds), 50083 (archived), 50013. */
export function addReaction(world: World, channel: Channel, message: Message, userId: string, raw: string): void {
	const emoji = parseEmoji(raw);
	if (channel.thread?.archived === true) throw refusal('threadArchived');
	const present = message.reactions.get(emoji.name);
	demand(world, userId, channel, 'ReadMessageHistory');
	if (present === undefined || present.userIds.size === 0) {
		demand(world, userId, channel, 'AddReactions');
		if (reactionKinds(message) >= maxKinds) throw refusal('tooManyReactions');
	}
	const reaction = present ?? { emojiId: emoji.id, emojiName: emoji.name, userIds: new Set<string>() };
	message.reactions.set(emoji.name, reaction);
	if (reaction.userIds.has(userId)) return;
	reaction.userIds.add(userId);
	announce(world, 'MESSAGE_REACTION_ADD', message, eventDetails(reaction), userId);
}

export function removeReaction(world: World, channel: Channel, message: Message, userId: string, raw: string): void {
	const emoji = parseEmoji(raw);
	if (channel.thread?.archived === true) throw refusal('threadArchived');
	const reaction = message.reactions.get(emoji.name);
	if (reaction?.userIds.delete(userId) !== true) return;
	if (reaction.userIds.size === 0) message.reactions.delete(emoji.name);
	announce(world, 'MESSAGE_REACTION_REMOVE', message, eventDetails(reaction), userId);
}

/** Removes all reactions, or all of one emoji. */
export function clearReactions(world: World, message: Message, raw?: string): void {
	if (raw === undefined) {
		message.reactions.clear();
		announce(world, 'MESSAGE_REACTION_REMOVE_ALL', message, {});
		return;
	}
	const emoji = parseEmoji(raw);
	message.reactions.delete(emoji.name);
	announce(world, 'MESSAGE_REACTION_REMOVE_EMOJI', message, { emoji });
}

function reactionKinds(message: Message): number {
	return [...message.reactions.values()].filter((one) => one.userIds.size > 0).length;
}
