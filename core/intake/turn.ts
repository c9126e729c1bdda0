import { z } from 'zod';

/** A piece of human text as it came in. */
export const messagePart = z.strictObject({
	messageId: z.string(),
	authorId: z.string(),
	text: z.string(),
	at: z.number(),
});
export type MessagePart = z.infer<typeof messagePart>;

/** One entry of the conversation. `role` and `content` are what the model and the packet see. */
export const turn = z.strictObject({
	/** `t1`, `t2`, … */
	id: z.string(),
	role: z.enum(['user', 'assistant']),
	kind: z.enum(['intent', 'answer', 'skip', 'questions', 'late', 'amendment']),
	content: z.string(),
	at: z.number(),
	/** Round it belongs to. */
	round: z.int(),
	/** Messages it was made of, in order; empty for our own turns and for skipped rounds. */
	parts: z.array(messagePart),
	/** What was chosen in a form, by question. */
	choices: z.array(z.strictObject({ questionId: z.string(), labels: z.array(z.string()), text: z.string() })),
	/** Epoch ms of the last edit made on purpose. */
	editedAt: z.number().optional(),
});
export type Turn = z.infer<typeof turn>;
