import { z } from 'zod';

/** What a wake is for. */
export const wakeWhy = z.enum(['events', 'heartbeat', 'question']);
export type WakeWhy = z.infer<typeof wakeWhy>;

/** A person's question that waits for its turn. */
export const pendingAsk = z.object({
	/** Id of the message or interaction, so that a redelivery asks once. */
	id: z.string(),
	at: z.number(),
	who: z.string(),
	whoId: z.string(),
	text: z.string(),
	/** Where the answer goes; opaque to the core. */
	replyTo: z.record(z.string(), z.string()),
});
export type PendingAsk = z.infer<typeof pendingAsk>;

/** One turn of the concierge that is due or running. Its id stays when a dead worker's turn is run again. */
export const wake = z.object({
	id: z.string(),
	why: wakeWhy,
	/** `events`, `heartbeat`: the digest ends with this event; the cursor moves there when it was delivered. */
	upTo: z.number().optional(),
	ask: pendingAsk.optional(),
	/** Times it was begun. */
	tries: z.number(),
});
export type Wake = z.infer<typeof wake>;

const conciergeError = z.object({ at: z.number(), code: z.string(), text: z.string() });

/** What stands in the way of a wake that is due. */
export const wakeHold = z.enum([
	'off',
	'no_model',
	'no_price',
	'in_flight',
	'nothing_new',
	'coalescing',
	'cap',
	'budget',
	'backoff',
]);
export type WakeHold = z.infer<typeof wakeHold>;

/** All that the scheduler remembers. Written only by compare-and-set. Times are epoch ms. */
export const conciergeState = z.object({
	/** Its id as cause of events; made once, kept over off and on. Empty until first switched on. */
	id: z.string(),
	on: z.boolean(),
	/** Last event that a digest carried or that is none of its concern. */
	cursor: z.number(),
	/** Switched on and not yet told of the fleet as it stands. */
	greet: z.boolean(),
	asks: z.array(pendingAsk),
	inFlight: z
		.object({
			wake,
			startedAt: z.number(),
			deadlineAt: z.number(),
			worker: z.string().optional(),
		})
		.optional(),
	/** A turn whose worker died, to be run again before anything else. */
	again: wake.optional(),
	/** When digests were begun in the last hour, oldest first; questions of people are not counted. */
	wakes: z.array(z.number()),
	/** Last time it was told of the fleet. */
	lastDigestAt: z.number(),
	/** What the fleet looked like then, to tell whether anything changed. */
	lastFleet: z.string(),
	/** Nothing unasked before this time. */
	retryAt: z.number(),
	retryFor: z.enum(['cap', 'backoff']).optional(),
	spend: z.object({
		day: z.string(),
		usd: z.number(),
		/** Estimate of a digest that the rest of the budget did not cover. */
		neededUsd: z.number().optional(),
	}),
	/** Failed digests in a row. */
	failures: z.number(),
	/** A plain notice with the deterministic digest is owed, because the model fails; posted once under this id. */
	notice: z.object({ id: z.string(), upTo: z.number(), at: z.number(), code: z.string() }).optional(),
	/** It was posted for this row of failures. */
	noticed: z.boolean(),
	lastError: conciergeError.optional(),
	/** What it last told people, for the status line. */
	lastSaid: z
		.object({
			at: z.number(),
			level: z.enum(['info', 'need']),
			text: z.string(),
			sessionId: z.string().optional(),
		})
		.optional(),
	/** Its calls for somebody, in the last hour, about what is no question and no failure. */
	calls: z.array(z.object({ at: z.number(), about: z.string() })).optional(),
	hold: z.object({ reason: wakeHold, since: z.number() }).optional(),
	onSince: z.number().optional(),
	offSince: z.number().optional(),
});
export type ConciergeState = z.infer<typeof conciergeState>;

export const FRESH_CONCIERGE: ConciergeState = {
	id: '',
	on: false,
	cursor: 0,
	greet: false,
	asks: [],
	wakes: [],
	lastDigestAt: 0,
	lastFleet: '',
	retryAt: 0,
	spend: { day: '', usd: 0 },
	failures: 0,
	noticed: false,
};
