import type { Message } from 'discord.js';
import type { IntakeSettings } from '../../config/intake.ts';
import { mentionedIds, readableText } from '../messages/readable-text.ts';

/**
 * What a message in an intake channel asks to have built; undefined when it asks for nothing. In a channel that is for
 * intakes only every message does, elsewhere one that mentions us.
 */
export function wishIn(message: Message, channels: IntakeSettings['channels']): string | undefined {
	const channel = channels.find(({ channelId }) => channelId === message.channelId);
	if (channel === undefined) return undefined;
	const selfId = message.client.user.id;
	const roleId = message.guild?.roles.botRoleFor(message.client.user)?.id;
	const { users, roles } = mentionedIds(message.content);
	const isForUs = users.includes(selfId) || (roleId !== undefined && roles.includes(roleId));
	// A reply or a message without text is talk about something else.
	if (!isForUs && (!channel.only || message.reference !== null)) return undefined;
	const own = new RegExp(`<@[!&]?(?:${[selfId, roleId].filter((id) => id !== undefined).join('|')})>`, 'g');
	const text = readableText(message.content.replace(own, ' '), {
		user: (id) => message.mentions.users.get(id)?.displayName,
		role: (id) => message.guild?.roles.cache.get(id)?.name,
		channel: () => undefined,
	}).trim();
	return text === '' && !isForUs ? undefined : text;
}
