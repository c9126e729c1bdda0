import { z } from 'zod';

/** What a watch waits for. */
export const watchWhen = z.enum(['idle', 'finished', 'failed', 'question', 'ended', 'any']);
export type WatchWhen = z.infer<typeof watchWhen>;

/** A wake that the concierge asked for. Fires once. */
export const watch = z.object({
	id: z.string(),
	sessionId: z.string(),
	when: watchWhen,
	at: z.number(),
	/** Words of the person in whose turn it was set; the right to relay when it fires comes from them. */
	askedBy: z.object({ who: z.string(), whoId: z.string(), text: z.string() }).optional(),
});
export type Watch = z.infer<typeof watch>;
