import { z } from 'zod';

/** Every kind of feed event. */
export const feedKind = z.enum([
	'started',
	'state',
	'question',
	'question_closed',
	'answered',
	'message',
	'summary',
	'finished',
	'failed',
	'stopped',
	'stale',
	'back',
	'cost',
	'watch_fired',
	'concierge_said',
	'concierge_sent',
	'concierge_did',
	'on',
	'off',
]);
export type FeedKind = z.infer<typeof feedKind>;

/**
 * Who caused an event. `whoId` decides, `who` is only shown: a session id, a Discord user id, the concierge's own id, or
 * `system`.
 */
export const feedCause = z.object({
	role: z.enum(['session', 'person', 'concierge', 'system']),
	who: z.string(),
	whoId: z.string(),
});
export type FeedCause = z.infer<typeof feedCause>;

/** An event before the feed gave it its number. */
export const feedDraft = z.object({
	/** Epoch ms by our clock. */
	at: z.number(),
	kind: feedKind,
	/** Session it is about; absent for what is about the fleet. */
	sessionId: z.string().optional(),
	/** Its name at that time, so that the log can be read after it is gone. */
	sessionName: z.string().optional(),
	cause: feedCause,
	/** One readable line, untrusted where a session wrote it. */
	text: z.string(),
	data: z.record(z.string(), z.unknown()).optional(),
});
export type FeedDraft = z.infer<typeof feedDraft>;

/** One event of the feed. `seq` grows by one an event, from 1, and is never given again. */
export const feedEvent = feedDraft.extend({ seq: z.number().int() });
export type FeedEvent = z.infer<typeof feedEvent>;

export const SYSTEM_CAUSE: FeedCause = { role: 'system', who: 'Majordomo', whoId: 'system' };

/** Own doings are told by id: a session may carry any name. */
export function isCausedBy(event: Pick<FeedEvent, 'cause'>, whoId: string): boolean {
	return event.cause.whoId === whoId;
}
