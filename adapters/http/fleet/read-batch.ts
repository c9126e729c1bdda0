import { z } from 'zod';
import { type SessionReport, sessionReport } from '../../../core/fleet/report.ts';

/** Reports in one request at most. */
export const BATCH_MAX = 500;

/**
 * Kinds of adapters that run inside this house: nobody outside speaks for them. Everything else is the reporter's to name;
 * it tells agents apart, not rights.
 */
const OWN_SOURCES: ReadonlySet<string> = new Set(['pi', 'concierge', 'system']);

const batchEnvelope = z.object({
	source: z
		.string()
		.regex(/^[a-z][a-z0-9-]{0,39}$/, 'lower-case letters, digits and dashes')
		.refine((source) => !OWN_SOURCES.has(source), 'this name is kept for sessions that the house starts itself')
		.describe('Kind of reporter: pi-extension, claude-code, opencode, script, …'),
	events: z.array(z.unknown()).min(1).max(BATCH_MAX),
});

/** A report that cannot be used, and why. The others of the batch count all the same. */
export interface RefusedReport {
	/** Place in the batch, from 0. */
	readonly index: number;
	readonly eventId?: string;
	readonly problems: readonly string[];
}

export type ReadBatch =
	| {
			readonly ok: true;
			readonly source: string;
			readonly reports: readonly SessionReport[];
			readonly refused: readonly RefusedReport[];
	  }
	| { readonly ok: false; readonly problems: readonly string[] };

/** Reads a batch, report by report. */
export function readBatch(raw: unknown): ReadBatch {
	const envelope = batchEnvelope.safeParse(raw);
	if (!envelope.success) return { ok: false, problems: problemsOf(envelope.error) };
	const reports: SessionReport[] = [];
	const refused: RefusedReport[] = [];
	for (const [index, event] of envelope.data.events.entries()) {
		const parsed = sessionReport.safeParse(event);
		if (parsed.success) reports.push(parsed.data);
		else {
			const eventId = z.object({ eventId: z.string().max(300) }).safeParse(event).data?.eventId;
			refused.push({ index, ...(eventId === undefined ? {} : { eventId }), problems: problemsOf(parsed.error) });
		}
	}
	return { ok: true, source: envelope.data.source, reports, refused };
}

export function problemsOf(error: z.ZodError): string[] {
	return error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
}
