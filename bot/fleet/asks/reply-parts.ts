import type { MessageCreateOptions } from 'discord.js';
import { splitText } from '../../../core/chat/split.ts';
import type { PendingAsk } from '../../../core/fleet/concierge-state.ts';
import { nonceOf } from '../../relay/outgoing.ts';

export interface ReplyWords {
	/** Id of what is said: the same again is the same messages. */
	readonly id: string;
	readonly ask: Pick<PendingAsk, 'whoId' | 'replyTo'>;
	readonly text: string;
	/** Goes before the text where there is no message that could be replied to. */
	readonly head: string;
	/** The asker's message can be replied to there. */
	readonly isReply: boolean;
}

/** An answer as Discord messages, in order: a reply to the asker, mentioning them once and nobody else. */
export function replyParts({ id, ask, text, head, isReply }: ReplyWords): MessageCreateOptions[] {
	const messageId = isReply ? ask.replyTo['messageId'] : undefined;
	const { messages, file } = splitText(messageId === undefined ? `${head}\n${text}` : text);
	return messages.map((content, index) => ({
		content,
		nonce: nonceOf(id, index),
		enforceNonce: true,
		allowedMentions:
			index === 0 ? { parse: [], users: [ask.whoId], repliedUser: true } : { parse: [], repliedUser: false },
		...(index === 0 && messageId !== undefined
			? { reply: { messageReference: messageId, failIfNotExists: false } }
			: {}),
		...(file !== undefined && index === messages.length - 1
			? { files: [{ name: 'continued.md', attachment: Buffer.from(file, 'utf8') }] }
			: {}),
	}));
}
