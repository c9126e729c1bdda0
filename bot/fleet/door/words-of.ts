import type { Message } from 'discord.js';
import { mentionedIds, readableText } from '../../messages/readable-text.ts';

/** Whether a text mentions us, by our account or by the role that Discord made for it. */
export function isForUs(message: Message): boolean {
	const { users, roles } = mentionedIds(message.content);
	const { selfId, roleId } = ownIds(message);
	return users.includes(selfId) || (roleId !== undefined && roles.includes(roleId));
}

/** A message's words as somebody without Discord can read them: names for mentions, and ours left out. */
export function wordsOf(message: Message, content = message.content): string {
	const { selfId, roleId } = ownIds(message);
	const own = new RegExp(`<@[!&]?(?:${[selfId, roleId].filter((id) => id !== undefined).join('|')})>`, 'g');
	return readableText(content.replace(own, ' '), {
		user: (id) => message.mentions.users.get(id)?.displayName,
		role: (id) => message.guild?.roles.cache.get(id)?.name,
		channel: () => undefined,
	}).trim();
}

function ownIds({ client, guild }: Message) {
	return { selfId: client.user?.id ?? '', roleId: client.user ? guild?.roles.botRoleFor(client.user)?.id : undefined };
}
