import { z } from 'zod';
import { milliseconds, timeZone } from './primitives.ts';

const name = z
	.string()
	.trim()
	.min(2)
	.max(32)
	.regex(/^[\p{L}\p{N}][\p{L}\p{N} _.'-]*$/u, 'letters, digits, spaces and _ . \' - only');

/** Cooldowns by tool family, started at the attempt. */
const cooldowns = z.strictObject({
	liftMs: milliseconds.default(25_000),
	neatoMs: milliseconds.default(30_000),
	lightMs: milliseconds.default(5_000),
	scriptMs: milliseconds.default(10_000),
	memoryMs: milliseconds.default(10_000),
	chatMs: milliseconds.default(8_000),
	buttonBoxMs: milliseconds.default(60_000),
});

const gate = z.strictObject({
	tickMs: z.int().min(1_000).max(3_000).default(2_000),
	heartbeatMs: milliseconds.min(5_000).default(30_000),
	/** Heartbeat while nobody is there; 0 = none. */
	idleHeartbeatMs: milliseconds.default(600_000),
	/** How long a person counts as active after their last message. */
	activeForMs: milliseconds.default(300_000),
	leaseMs: milliseconds.min(3_000).max(10_000).default(8_000),
	/** World changes that undo themselves within this time are no event. */
	debounceMs: milliseconds.default(1_500),
	burst: z
		.strictObject({ messages: z.int().min(2).default(5), people: z.int().min(1).default(2), windowMs: milliseconds.default(20_000) })
		.prefault({}),
	topicChange: z
		.strictObject({
			/** Word-set similarity (0–1) under which new talk counts as another topic. */
			maxSimilarity: z.number().min(0).max(1).default(0.08),
			minMessages: z.int().min(1).default(3),
			minWords: z.int().min(1).default(8),
			quietMs: milliseconds.default(60_000),
		})
		.prefault({}),
	challenge: z
		.strictObject({ extraPhrases: z.array(z.string().min(2).max(60)).max(50).default([]), freshMs: milliseconds.default(30_000) })
		.prefault({}),
});

export const overseerSettings = z.strictObject({
	/** Runtime of the room: the control-first overseer, the chat-only commentator kept from before, or neither. */
	runtime: z.enum(['overseer', 'commentary', 'off']).default('overseer'),
	/** off: nothing runs; observe: decides and logs only; chat: speech and memory; full: everything. */
	stage: z.enum(['off', 'observe', 'chat', 'full']).default('observe'),
	name: name.default('Overseer'),
	aliases: z.array(name).max(10).default(['bot']),
	timeZone: timeZone.default('UTC'),
	gate: gate.prefault({}),
	decision: z
		.strictObject({
			deadlineMs: milliseconds.min(1_000).max(600_000).default(60_000),
			maxToolCalls: z.int().min(1).max(5).default(1),
			staleAfterMs: milliseconds.min(1_000).default(60_000),
			maxOutputTokens: z.int().min(64).max(4_096).default(400),
		})
		.prefault({}),
	window: z
		.strictObject({
			maxTurns: z.int().min(8).max(200).default(40),
			maxAgeMs: milliseconds.default(600_000),
			minHumans: z.int().min(5).max(20).default(5),
			maxBotLines: z.int().min(1).max(10).default(2),
			tokenBudget: z.int().min(500).default(3_500),
		})
		.prefault({}),
	chat: z
		.strictObject({
			maxLength: z.int().min(50).max(1_900).default(400),
			/** Normalised similarity (0–1) to a recent own line from which a line counts as repeated. */
			repeatSimilarity: z.number().min(0.5).max(1).default(0.85),
			repeatLookback: z.int().min(1).max(20).default(5),
			showActions: z.boolean().default(false),
			honestLineEveryMs: milliseconds.default(60_000),
		})
		.prefault({}),
	cooldowns: cooldowns.prefault({}),
	budget: z.strictObject({ perMinute: z.int().min(0).default(6), perHour: z.int().min(0).default(60) }).prefault({}),
	backoff: z
		.strictObject({ firstMs: milliseconds.min(100).default(5_000), maxMs: milliseconds.default(300_000) })
		.prefault({}),
	verifyMs: z
		.strictObject({ light: milliseconds.default(4_000), neato: milliseconds.default(15_000), lift: milliseconds.default(8_000) })
		.prefault({}),
	vote: z.strictObject({ tie: z.enum(['on', 'off']).default('on') }).prefault({}),
	buttonBox: z.strictObject({ enabled: z.boolean().default(false), maxAmount: z.int().min(1).max(25).default(5) }).prefault({}),
	audit: z.strictObject({ retainMs: milliseconds.default(30 * 86_400_000), maxRows: z.int().min(100).default(20_000) }).prefault({}),
	panel: z.strictObject({ minEditMs: milliseconds.min(1_000).default(5_000) }).prefault({}),
});

export type OverseerSettings = z.infer<typeof overseerSettings>;
export type Stage = OverseerSettings['stage'];
export type Runtime = OverseerSettings['runtime'];
