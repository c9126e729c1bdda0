import { createHash } from 'node:crypto';
import type { MessageCreateOptions } from 'discord.js';
import type { ChatMessage } from '../../core/chat/message.ts';
import { splitText } from '../../core/chat/split.ts';

/** No text of ours may ping anybody: neither words of a model nor quoted ones. */
export const CLOSED_MENTIONS = { parse: [], repliedUser: false } as const;

/**
 * The Discord messages that a bus line becomes, in order. Each carries a nonce made from the line's id, by which Discord
 * gives the first message back instead of posting a second when a line is delivered again.
 */
export function toOutgoing(message: ChatMessage): MessageCreateOptions[] {
	const { messages, file } = splitText(message.text);
	return messages.map((content, index) => ({
		content,
		nonce: nonceOf(message.id, index),
		enforceNonce: true,
		allowedMentions: CLOSED_MENTIONS,
		...(index === 0 && message.replyTo !== undefined
			? { reply: { messageReference: message.replyTo.id, failIfNotExists: false } }
			: {}),
		...(file !== undefined && index === messages.length - 1
			? { files: [{ name: 'continued.md', attachment: Buffer.from(file, 'utf8') }] }
			: {}),
	}));
}

/** At most 25 characters, as Discord demands. */
export function nonceOf(messageId: string, index: number): string {
	return createHash('sha256').update(`${messageId}#${index}`).digest('base64url').slice(0, 24);
}
