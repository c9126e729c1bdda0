import type { Message } from 'discord.js';
import { questionIn } from '../../../core/fleet/concierge-command.ts';
import type { BotSettings } from '../../deps.ts';
import { mentionedIds, readableText } from '../../messages/readable-text.ts';

/**
 * What a message in the fleet channel asks the concierge: the words after `?`, or those of one that mentions us. Empty for a
 * bare mention, undefined for a message that is no question. Where the channel is also a room's, mentions are the room's.
 */
export function askIn(message: Message, settings: Pick<BotSettings, 'fleet' | 'rooms'>): string | undefined {
	if (message.channelId !== settings.fleet.channelId) return undefined;
	const asked = questionIn(message.content);
	if (asked !== undefined) return readable(message, asked);
	if (settings.rooms.some(({ channelId }) => channelId === message.channelId)) return undefined;
	const selfId = message.client.user.id;
	const roleId = message.guild?.roles.botRoleFor(message.client.user)?.id;
	const { users, roles } = mentionedIds(message.content);
	if (!users.includes(selfId) && !(roleId !== undefined && roles.includes(roleId))) return undefined;
	const own = new RegExp(`<@[!&]?(?:${[selfId, roleId].filter((id) => id !== undefined).join('|')})>`, 'g');
	const words = message.content.replace(own, ' ').trim();
	return readable(message, questionIn(words) ?? words);
}

function readable(message: Message, words: string): string {
	return readableText(words, {
		user: (id) => message.mentions.users.get(id)?.displayName,
		role: (id) => message.guild?.roles.cache.get(id)?.name,
		channel: () => undefined,
	}).trim();
}
