import { z } from 'zod';
import type { ChatMessage } from '../../../core/chat/message.ts';
import { storedTrace } from '../../../core/trace-context.ts';

/** A line of chat as stored. Unknown fields are kept: a newer version may have written them. */
export const chatMessageSchema: z.ZodType<ChatMessage> = z.looseObject({
	id: z.string().min(1),
	room: z.string().min(1),
	author: z.looseObject({ id: z.string(), name: z.string() }),
	bot: z.boolean(),
	text: z.string(),
	at: z.number(),
	replyTo: z.looseObject({ id: z.string(), toBot: z.boolean() }).optional(),
	mentions: z.array(z.string()),
	source: z.string(),
	decisionId: z.string().optional(),
	trace: storedTrace,
});
