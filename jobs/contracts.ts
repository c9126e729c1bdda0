import { z } from 'zod';
import { storedTrace } from '../core/trace-context.ts';

/** Queues of the house. A name is also the hash tag of all its keys, so that a cluster can spread the queues. */
export const QUEUE_NAMES = [
	'overseer-decide',
	'tool-run',
	'intake-turn',
	'intake-effect',
	'ba-inbox',
	'fleet-deliver',
	'fleet-wake',
] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

const id = z.string().min(1).max(120);

/** Payloads hold ids, not conversations: what they point at is read fresh when the job runs. */
export const jobPayloads = {
	'overseer-decide': z.strictObject({ roomId: id }),
	'tool-run': z.strictObject({
		roomId: id,
		decisionId: id,
		callId: id,
		tool: z.string().min(1).max(120),
		/** Arguments as the model gave them, in JSON text. */
		argsJson: z.string().max(16_384),
		trigger: z.string().max(40),
		cause: z.string().max(120).optional(),
		direct: z.boolean(),
		/** Epoch ms of the world that the decision was made on. */
		decidedAt: z.number(),
		trace: storedTrace,
	}),
	/** Something waits for this session. */
	'intake-turn': z.strictObject({ sessionId: id }),
	/** Something that the session wants done. */
	'intake-effect': z.strictObject({ sessionId: id, effectId: z.string().min(1).max(240) }),
	/** A packet for one sink of the business analyst's inbox. */
	'ba-inbox': z.strictObject({ packetId: z.string().min(1).max(200), sink: id, generation: z.int().min(0) }),
	/** Something is on its way into this session. */
	'fleet-deliver': z.strictObject({ sessionId: id }),
	/** A turn of the concierge is due; which one is read when the job runs. */
	'fleet-wake': z.strictObject({ wake: id }),
} as const satisfies Record<QueueName, z.ZodType>;

export type JobPayload<Name extends QueueName> = z.infer<(typeof jobPayloads)[Name]>;

/** Name of the job that only proves that a queue's worker is alive. */
export const CANARY = 'canary';
export const canaryPayload = z.strictObject({ sentAt: z.number() });

/**
 * Job id from parts. BullMQ refuses ids that read as whole numbers and ids with a colon, and most Discord ids pass its
 * check by luck only; a letter in front and no colon anywhere is always legal.
 */
export function jobId(kind: string, ...parts: string[]): string {
	return [kind, ...parts].map((part) => part.replaceAll(':', '_')).join('-');
}
