import { z } from 'zod';
import type { OverseerSettings } from '../../config/overseer.ts';
import { cutText } from '../chat/sanitise.ts';

const COMMENTARY_STATUS_VERSION = 1;

const at = z.number();

/** What the commentator's panel shows. A document of its own, not a part of the overseer's. */
export const commentaryStatus = z.object({
	version: z.literal(COMMENTARY_STATUS_VERSION),
	kind: z.literal('commentary'),
	roomId: z.string(),
	updatedAt: at,
	name: z.string(),
	enabled: z.boolean(),
	phase: z.enum(['idle', 'awaiting_model', 'posted', 'failed']),
	phaseAt: at,
	lastTrigger: z.object({ at, trigger: z.string(), note: z.string() }).optional(),
	lastHold: z.object({ at, reason: z.string() }).optional(),
	input: z.string().optional(),
	raw: z.string().optional(),
	latencyMs: z.number().optional(),
	/** Newest first. */
	lines: z.array(z.object({ at, text: z.string() })),
	skipped: z.number(),
	posted: z.number(),
	lastError: z.object({ at, code: z.string(), text: z.string() }).optional(),
});

export type CommentaryStatus = z.infer<typeof commentaryStatus>;

const LINES_MAX = 5;

export function freshCommentaryStatus(roomId: string, settings: OverseerSettings, now: number): CommentaryStatus {
	return {
		version: COMMENTARY_STATUS_VERSION,
		kind: 'commentary',
		roomId,
		updatedAt: now,
		name: settings.name,
		enabled: settings.runtime === 'commentary' && settings.stage !== 'off',
		phase: 'idle',
		phaseAt: now,
		lines: [],
		skipped: 0,
		posted: 0,
	};
}

/** A stored document as status; undefined when it is of another kind or version. */
export function readCommentaryStatus(value: unknown): CommentaryStatus | undefined {
	const parsed = commentaryStatus.safeParse(value);
	return parsed.success ? parsed.data : undefined;
}

/** One run ended: with a line, or in silence. */
export function withCommentary(
	status: CommentaryStatus,
	run: { readonly input: string; readonly raw: string; readonly latencyMs: number; readonly line?: string },
	now: number,
): CommentaryStatus {
	const spoke = run.line !== undefined;
	return {
		...status,
		updatedAt: now,
		phase: spoke ? 'posted' : 'idle',
		phaseAt: now,
		input: cutText(run.input, 3_000),
		raw: cutText(run.raw, 1_500),
		latencyMs: run.latencyMs,
		lines: run.line === undefined ? status.lines : [{ at: now, text: run.line }, ...status.lines].slice(0, LINES_MAX),
		posted: status.posted + (spoke ? 1 : 0),
		skipped: status.skipped + (spoke ? 0 : 1),
	};
}

export function withCommentaryError(
	status: CommentaryStatus,
	code: string,
	text: string,
	now: number,
): CommentaryStatus {
	return {
		...status,
		updatedAt: now,
		phase: 'failed',
		phaseAt: now,
		lastError: { at: now, code, text: cutText(text, 300) },
	};
}
