import { z } from 'zod';
import type { PendingAsk, WakeWhy } from './concierge-state.ts';
import { newsByWeight } from './digest.ts';
import { type FeedEvent, feedKind } from './feed-event.ts';
import { bare } from './quote.ts';
import type { FleetWording } from './wording/fleet-wording.ts';

/** Why the concierge was at work when it did something; kept with what it did. */
export const wakeReason = z.discriminatedUnion('why', [
	z.object({ why: z.literal('question'), who: z.string(), whoId: z.string() }),
	/** What mattered most of what had happened, and how much else there was. */
	z.object({
		why: z.literal('events'),
		seq: z.number(),
		kind: feedKind,
		name: z.string().optional(),
		more: z.number(),
	}),
	z.object({ why: z.literal('heartbeat') }),
	/** It was switched on and looks at the fleet. */
	z.object({ why: z.literal('on') }),
]);
export type WakeReason = z.infer<typeof wakeReason>;

export interface WokenBy {
	readonly why: WakeWhy;
	readonly ask: PendingAsk | undefined;
	/** It has not looked at the fleet since it was switched on. */
	readonly isGreeting: boolean;
	/** What it had not been told of when its turn began. */
	readonly events: readonly FeedEvent[];
	readonly ownId: string;
}

export function wakeReasonOf({ why, ask, isGreeting, events, ownId }: WokenBy): WakeReason {
	if (why === 'question' && ask !== undefined) return { why: 'question', who: ask.who, whoId: ask.whoId };
	if (isGreeting) return { why: 'on' };
	const [first, ...rest] = newsByWeight(events, ownId);
	if (why !== 'events' || first === undefined) return { why: 'heartbeat' };
	const { seq, kind, sessionName } = first;
	return { why: 'events', seq, kind, ...(sessionName === undefined ? {} : { name: sessionName }), more: rest.length };
}

/** The same for people; undefined where it was not kept. */
export function wakeReasonText(event: FeedEvent, words: FleetWording): string | undefined {
	const { data: reason } = wakeReason.safeParse(event.data?.['because']);
	if (reason === undefined) return undefined;
	if (reason.why === 'question') return words.askedBy(bare(reason.who, 40));
	if (reason.why === 'heartbeat') return words.wokenByClock;
	if (reason.why === 'on') return words.wokenByStart;
	return words.wokenBy(reason.name === undefined ? words.fleet : bare(reason.name, 60), reason.kind, reason.more);
}
