import { z } from 'zod';
import { ALIAS, BUSINESS_ANALYST } from './addresses.ts';
import { dimension, dimensionStates } from './dimension.ts';
import { evidence, excludedFact } from './fact.ts';
import { governanceVerdict } from './governance-port.ts';

export const trigger = z.enum(['complete', 'forced']);
export type FinalTrigger = z.infer<typeof trigger>;
export const finalCause = z.enum(['signal', 'round_limit', 'finish_now', 'auto_lock']);
export type FinalCause = z.infer<typeof finalCause>;

export const requirement = z.strictObject({
	/** `R1`, `R2`, … in the order of the facts. */
	id: z.string(),
	text: z.string(),
	dimension,
	/** Canonical fact it was written as. */
	fact: z.string(),
	evidence: z.array(evidence).min(1),
});
export type Requirement = z.infer<typeof requirement>;

const body = z.strictObject({
	TASK_SUMMARY: z.string().min(1),
	/** Safe slug, `[a-z0-9_-]{1,40}`. */
	PROJECT_NAME: z.string().regex(/^[a-z0-9_-]{1,40}$/),
	/** Canonical text; empty when nothing could be kept. */
	PROLOG_FACTS: z.string(),
	UI_REQUIREMENTS: z.boolean(),
	CONVERSATION_HISTORY: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() })),
	ESCALATE_TO: z.string().nullable(),
	display_name: z.string(),
	facts_hash: z.string(),
	intent_hash: z.string(),
	requirements: z.array(requirement),
	excluded_facts: z.array(excludedFact),
	/** Sentences of the person that no fact rests on. */
	not_used: z.array(evidence),
	dimensions: dimensionStates,
	/** Names of dimensions that are open or deferred. */
	missing_info: z.array(z.string()),
	trigger,
	cause: finalCause,
	round_count: z.int(),
	/** What was written by code or left out because the model did not give it: `all`, `summary`, `name`, `facts`. */
	stand_ins: z.array(z.string()),
	requires_escalation: z.boolean(),
});

/** What leaves for U:BA. Signing adds `signature` and is the sender's business. */
export const handoffPacket = z.strictObject({
	schema_version: z.literal(1),
	/** Same session and same lock give the same id: the receiver's key for idempotency. */
	id: z.string(),
	/** `[Cx>BA:WW:NN]`, for people. */
	label: z.string(),
	from: z.literal(ALIAS),
	to: z.literal(BUSINESS_ANALYST),
	subject: z.literal('requirements'),
	sessionId: z.string(),
	at: z.number(),
	body,
	/** Absent until governance has spoken. */
	governance: governanceVerdict.optional(),
});
export type HandoffPacket = z.infer<typeof handoffPacket>;
