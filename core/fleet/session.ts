import { createHash } from 'node:crypto';
import { z } from 'zod';
import { sessionState } from './session-state.ts';

/** Newest lines of its transcript that a session keeps. */
export const TAIL_LINES = 60;

/** One line of what was said inside a session. `n` is its order key. */
export const tailLine = z.object({
	n: z.number(),
	at: z.number(),
	role: z.enum(['person', 'agent', 'tool', 'concierge']),
	text: z.string(),
});
export type TailLine = z.infer<typeof tailLine>;

/** What a session has cost, in US dollars. */
export const sessionCost = z.object({
	totalUsd: z.number(),
	/** Calendar date of the fleet's time zone that `dayBaseUsd` belongs to, `2026-11-30`. */
	day: z.string(),
	/** `totalUsd` when that day began. */
	dayBaseUsd: z.number(),
});
export type SessionCost = z.infer<typeof sessionCost>;

/**
 * Order keys of the newest report that each part was taken from, so that late, doubled and reordered reports change nothing.
 */
const sessionOrder = z.object({
	run: z.number(),
	end: z.number(),
	name: z.number(),
	place: z.number(),
	summary: z.number(),
	screen: z.number(),
	/** Newest report that closed every question before it. */
	close: z.number(),
});

/** One coding-agent session, as stored. All texts come from the session and are untrusted. Times are epoch ms. */
export const fleetSession = z.object({
	/** Ours; made from source, host and native id, so that a reporter that comes back finds it again. */
	id: z.string(),
	/** Unique in the fleet, never `concierge`; see `freeName`. */
	name: z.string(),
	/** Kind of adapter: `pi`, `pi-extension`, `claude-code`, `opencode`, `script`, … */
	source: z.string(),
	/** Vouched for by the reporter's token, not by what it says. */
	host: z.string(),
	/** The agent's own id. */
	nativeId: z.string(),
	directory: z.string().optional(),
	/** File by which the agent can take it up again. */
	file: z.string().optional(),
	model: z.string().optional(),
	/** Discord id of the person it belongs to; mentioned when it needs somebody. */
	ownerId: z.string().optional(),
	state: sessionState,
	/** How it runs apart from questions and from its end; `state` is made from it. */
	run: z.enum(['starting', 'working', 'idle', 'finished', 'failed']),
	/**
	 * What it does within its turn without a word, such as one long command: `what` and `since` while it lasts. `isTold`: the
	 * feed has heard that it takes long. `order`: of the newest report that this was taken from.
	 */
	running: z
		.object({
			order: z.number(),
			what: z.string().optional(),
			since: z.number().optional(),
			isTold: z.boolean().optional(),
		})
		.optional(),
	/** Why the last run failed, or why it ended; one line. */
	runReason: z.string().optional(),
	endReason: z.string().optional(),
	/** It has not reported for longer than allowed, since then. */
	staleSince: z.number().optional(),
	/** Name it asked for; `name` is that, or a free one made from it. */
	wantedName: z.string(),
	/** Ids of questions that nobody answered yet, oldest first. */
	openQuestions: z.array(z.string()),
	/** Newest closings by the agent's id of the question: its question may be reported again, or only afterwards. */
	closings: z.array(z.object({ ref: z.string(), order: z.number() })),
	summary: z.string().optional(),
	summaryAt: z.number().optional(),
	cost: sessionCost,
	/** Newest lines of its transcript, oldest first, bounded. */
	tail: z.array(tailLine),
	/** Last screen of a terminal session, where its adapter sends one. */
	screen: z.string().optional(),
	startedAt: z.number(),
	/** When its state last changed. */
	stateAt: z.number(),
	/** When it last reported anything at all. */
	reportedAt: z.number(),
	updatedAt: z.number(),
	/** The agent itself is gone: it takes no messages any more. */
	endedAt: z.number().optional(),
	/** Highest report number seen; a reporter that returns sends what comes after it. */
	lastReport: z.number(),
	/** Newest time that its reports told, by the clock of its host. */
	lastAt: z.number(),
	order: sessionOrder,
	/** No cards and mentions for it; the status line still shows it. */
	muted: z.boolean().optional(),
});
export type FleetSession = z.infer<typeof fleetSession>;

/** It takes no messages any more. */
export function hasEnded(session: Pick<FleetSession, 'endedAt'>): boolean {
	return session.endedAt !== undefined;
}

/** It runs or waits, so one expects to hear of it; in the other states silence means nothing. */
export function isBusy({ state, endedAt }: Pick<FleetSession, 'state' | 'endedAt'>): boolean {
	return endedAt === undefined && (state === 'starting' || state === 'working' || state === 'waiting');
}

/** Id of a session: the same for the same agent session on the same host, whoever asks. Letters and digits only. */
export function sessionId(source: string, host: string, nativeId: string): string {
	const hash = createHash('sha256')
		.update(JSON.stringify([source, host, nativeId]))
		.digest('hex');
	return `s${hash.slice(0, 15)}`;
}
