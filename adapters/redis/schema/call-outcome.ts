import { z } from 'zod';
import type { CallOutcome } from '../../../core/tooling/call.ts';
import { blockReasonSchema } from './block-reason.ts';

/** How a call ended, as stored. */
export const callOutcomeSchema: z.ZodType<CallOutcome> = z.discriminatedUnion('kind', [
	z.looseObject({
		kind: z.literal('confirmed'),
		summary: z.string(),
		result: z.unknown().optional(),
		contextId: z.string().optional(),
	}),
	z.looseObject({ kind: z.literal('unconfirmed'), summary: z.string(), contextId: z.string().optional() }),
	z.looseObject({ kind: z.literal('failed'), code: z.string(), summary: z.string() }),
	z.looseObject({ kind: z.literal('blocked'), reasons: z.array(blockReasonSchema), summary: z.string() }),
	z.looseObject({
		kind: z.literal('invalid'),
		code: z.enum(['invalid_args', 'unknown_tool', 'ambiguous', 'not_allowed']),
		summary: z.string(),
	}),
	z.looseObject({ kind: z.literal('dry_run'), summary: z.string() }),
	z.looseObject({ kind: z.literal('unknown'), summary: z.string() }),
]);
