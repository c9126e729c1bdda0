import { z } from 'zod';
import type { AuditRow } from '../../../core/tooling/call.ts';
import { blockReasonSchema } from './block-reason.ts';

/** A row of the audit, as stored. */
export const auditRowSchema: z.ZodType<AuditRow> = z.looseObject({
	id: z.string(),
	at: z.number(),
	room: z.string(),
	decisionId: z.string(),
	callId: z.string(),
	tool: z.string(),
	step: z.enum([
		'proposed',
		'blocked',
		'invalid',
		'dry_run',
		'running',
		'confirmed',
		'unconfirmed',
		'failed',
		'unknown',
	]),
	trigger: z.string(),
	cause: z.string().optional(),
	args: z.unknown().optional(),
	reasons: z.array(blockReasonSchema).optional(),
	summary: z.string().optional(),
	contextId: z.string().optional(),
	durationMs: z.number().optional(),
	trace: z.string().max(64).optional(),
});
