import { z } from 'zod';

/** Where the card of a need stands on Discord, so that it works after a restart. */
export const cardRecord = z.object({
	/** Id of the need: of its question, or made by `failureId`. */
	id: z.string(),
	kind: z.enum(['question', 'failed']),
	sessionId: z.string(),
	channelId: z.string(),
	messageId: z.string(),
	/** What the card shows, to tell whether it must be edited: revision of the question, 0 for a failure. */
	shownRevision: z.number(),
	/** Of all that it shows; it may change without the question, as when its session is muted. */
	shownHash: z.string().optional(),
	/** Why a run failed: its session forgets that when it goes on. */
	reason: z.string().optional(),
	/** How a failure ended: somebody saw to it, or the session went on by itself. */
	settled: z.object({ how: z.enum(['dismissed', 'over']), at: z.number(), who: z.string().optional() }).optional(),
	/** The concierge's words above it, where it was faster than the fallback. */
	headline: z.string().optional(),
	postedAt: z.number(),
	mentioned: z.boolean(),
});
export type CardRecord = z.infer<typeof cardRecord>;

/** A session's place on Discord. */
export const placeRecord = z.object({
	sessionId: z.string(),
	threadId: z.string(),
	headerMessageId: z.string().optional(),
	/** Text of the header as last written, so that an unchanged one is not edited. */
	headerText: z.string().optional(),
	/** Last message of a person in it that was handled. */
	lastHandledId: z.string().optional(),
});
export type PlaceRecord = z.infer<typeof placeRecord>;
