import { z } from 'zod';

/** Where the card of a question stands on Discord, so that it works after a restart. */
export const cardRecord = z.object({
	questionId: z.string(),
	sessionId: z.string(),
	channelId: z.string(),
	messageId: z.string(),
	/** Revision of the question that the card shows; an older one must be edited. */
	shownRevision: z.number(),
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
