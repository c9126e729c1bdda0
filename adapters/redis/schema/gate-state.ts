import { z } from 'zod';
import type { GateState } from '../../../core/overseer/gate-state.ts';
import { type PendingDecision, TRIGGERS } from '../../../core/overseer/trigger.ts';
import { storedTrace } from '../../../core/trace-context.ts';

const pendingDecision: z.ZodType<PendingDecision> = z.looseObject({
	id: z.string().min(1),
	trigger: z.enum(TRIGGERS),
	evidence: z.array(
		z.looseObject({
			messageIds: z.array(z.string()).optional(),
			eventIds: z.array(z.string()).optional(),
			counts: z.record(z.string(), z.number()).optional(),
			note: z.string(),
		}),
	),
	addresses: z.array(
		z.looseObject({ messageId: z.string(), authorId: z.string(), authorName: z.string(), at: z.number() }),
	),
	since: z.number(),
	attempt: z.number(),
	trace: storedTrace,
});

/** What the gate of a room remembers, as stored. */
export const gateStateSchema: z.ZodType<GateState> = z.looseObject({
	messageCursor: z.number(),
	eventCursor: z.number(),
	pending: pendingDecision.optional(),
	inFlight: z
		.looseObject({
			decision: pendingDecision,
			startedAt: z.number(),
			deadlineAt: z.number(),
			worker: z.string().optional(),
		})
		.optional(),
	lastModelAt: z.number(),
	lastHumanAt: z.number(),
	failures: z.number(),
	backoffUntil: z.number(),
	lastHold: z.looseObject({ at: z.number(), reason: z.string() }).optional(),
	lastTrigger: z.looseObject({ at: z.number(), trigger: z.string(), note: z.string() }).optional(),
});
