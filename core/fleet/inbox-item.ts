import { z } from 'zod';
import { questionAnswer } from './question.ts';

/** Something on its way into a session, before its inbox numbered it. */
export const inboxDraft = z.object({
	/** Unique; putting the same one again is a no-op. */
	id: z.string(),
	at: z.number(),
	kind: z.enum(['message', 'answer', 'abort', 'stop']),
	from: z.object({ role: z.enum(['person', 'concierge']), who: z.string(), whoId: z.string() }),
	/** `queue` waits for the turn to end; `interrupt` may break into it. The concierge only ever queues. */
	mode: z.enum(['queue', 'interrupt']),
	/** `message`: the words, framed already where they are the concierge's. */
	text: z.string().optional(),
	/** `answer`: which question, by the agent's own id, and what was answered. */
	questionId: z.string().optional(),
	ref: z.string().optional(),
	answer: questionAnswer.optional(),
});
export type InboxDraft = z.infer<typeof inboxDraft>;

/** `seq` grows by one an item within a session, from 1. */
export const inboxItem = inboxDraft.extend({ seq: z.number().int() });
export type InboxItem = z.infer<typeof inboxItem>;
