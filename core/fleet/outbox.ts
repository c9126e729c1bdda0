import { z } from 'zod';
import { houseLanguage } from '../../config/language.ts';
import { pendingAsk } from './concierge-state.ts';

const deliveryResult = z.union([
	z.object({ kind: z.enum(['delivered', 'queued']) }),
	z.object({ kind: z.enum(['blocked', 'gone', 'refused', 'failed']), why: z.string() }),
]);

/** What code says, in every language of the house; `text` alone is in whatever language it was said. */
const texts = z.partialRecord(houseLanguage, z.string()).optional();

/** Something that people are to be shown. `id` is stable: an item that was shown is not shown again. */
export const outboxItem = z.discriminatedUnion('kind', [
	/** Words for the person who asked, where `ask.replyTo` says. */
	z.object({ id: z.string(), at: z.number(), kind: z.literal('reply'), ask: pendingAsk, text: z.string(), texts }),
	/** A post in the fleet channel. Mentions nobody but these people. */
	z.object({
		id: z.string(),
		at: z.number(),
		kind: z.literal('notice'),
		text: z.string(),
		texts,
		mention: z.array(z.string()),
		sessionId: z.string().optional(),
	}),
	/** Cards for these needs, with the concierge's words above them; one that has a card or is over by now is left out. */
	z.object({
		id: z.string(),
		at: z.number(),
		kind: z.literal('cards'),
		needIds: z.array(z.string()),
		headline: z.string(),
	}),
	/** How something that a person put into a session fared. */
	z.object({
		id: z.string(),
		at: z.number(),
		kind: z.literal('delivery'),
		sessionId: z.string(),
		itemId: z.string(),
		result: deliveryResult,
	}),
]);
export type OutboxItem = z.infer<typeof outboxItem>;

export type OutboxShown =
	| 'shown'
	/** Can never be shown. */
	| 'dropped'
	/** Not now: again after so many milliseconds. */
	| { readonly laterMs: number };

/** What people are to be shown, kept until it was. Items do not wait for each other. */
export interface FleetOutbox {
	/** Adding the same id again changes nothing, also after it was shown. */
	add(item: OutboxItem): Promise<void>;
	/**
	 * Shows until removed; any number of processes may. A `show` that rejects is tried again, later each time. One whose
	 * process dies is shown again under the same id.
	 */
	consume(show: (item: OutboxItem) => Promise<OutboxShown>): () => Promise<void>;
}
