import { z } from 'zod';

const at = z.number().int().min(0);
const usd = z.number().min(0).max(1_000_000);

/** One choice of a question. `value` is what the agent wants back; the label when absent. */
const reportedChoice = z.object({
	label: z.string().min(1).max(4_000),
	value: z.string().max(4_000).optional(),
	description: z.string().max(4_000).optional(),
});

/** A question as its agent asked it. */
export const reportedQuestion = z.object({
	/** The agent's own id of it; answers go back under it. */
	ref: z.string().min(1).max(300),
	kind: z.enum(['choice', 'text', 'permission']),
	text: z.string().min(1).max(16_000),
	/** What the person should know to answer: a command, a path, a diff. */
	context: z.string().max(16_000).optional(),
	choices: z.array(reportedChoice).max(100).default([]),
	/** Several choices may be taken. */
	multi: z.boolean().default(false),
	/** Words of one's own are a legal answer. */
	freeText: z.boolean().default(false),
});
export type ReportedQuestion = z.infer<typeof reportedQuestion>;

/**
 * What can be reported. Transitions, not raw events: `working` when a turn begins, `idle` when it ended and the session
 * waits for the next, `finished` when a piece of work is done, `ended` when the session itself is gone.
 */
const reportKind = z.enum([
	'started',
	'working',
	'idle',
	'question',
	'question_closed',
	'finished',
	'failed',
	'aborted',
	'text',
	'summary',
	'screen',
	'cost',
	'alive',
	'ended',
]);

const session = z.object({
	nativeId: z.string().min(1).max(300),
	name: z.string().max(300).optional(),
	directory: z.string().max(4_096).optional(),
	file: z.string().max(4_096).optional(),
	model: z.string().max(200).optional(),
	pid: z.number().int().optional(),
});

/** Details by kind; whatever a kind does not use is ignored, unknown fields are kept out. */
const data = z
	.object({
		/** `text`, `summary`, `screen`, `finished`, `failed`: the words. */
		text: z.string().max(64_000).optional(),
		/** `text`: who spoke. `toPerson` marks words meant for people, which go to its thread and the feed. */
		role: z.enum(['person', 'agent', 'tool', 'concierge']).optional(),
		toPerson: z.boolean().optional(),
		question: reportedQuestion.optional(),
		/** `question_closed`: which; every open one of the session when absent. */
		ref: z.string().max(300).optional(),
		/** `question_closed`: `answered` at the agent's own terminal, `closed` otherwise, `lost` with its process. */
		how: z.enum(['answered', 'closed', 'lost']).optional(),
		/** All of the session so far; with any kind. */
		totalUsd: usd.optional(),
		/**
		 * With any kind: what runs now within the turn and may take long without a word, such as one command; empty when nothing
		 * does any more. The end of the turn ends it too.
		 */
		running: z.string().max(4_000).optional(),
		/** `ended`, `aborted`, `failed`: why. */
		reason: z.string().max(4_000).optional(),
	})
	.default({});

/**
 * One report of one session, as adapters and reporters make it. The source and host are not part of it: they come from the
 * token or the adapter that brought it. `n` grows by one a report within a session where the reporter can count; it
 * orders reports, and where it is absent `at` does.
 */
export const sessionReport = z.object({
	v: z.literal(1).default(1),
	/** Unique within source and host; a repeated one is ignored. */
	eventId: z.string().min(1).max(300),
	n: z.number().int().min(1).optional(),
	at,
	session,
	kind: reportKind,
	data,
});
export type SessionReport = z.infer<typeof sessionReport>;

/** Who brought a report: vouched for by us, never by the report. */
export interface ReportOrigin {
	readonly source: string;
	readonly host: string;
	/** Person that started the session, where we know. */
	readonly ownerId?: string;
}
