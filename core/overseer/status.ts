import { z } from 'zod';

/** Raised when a field changes its meaning; a reader that finds another number shows nothing rather than something wrong. */
export const STATUS_VERSION = 1;

export const PHASES = ['idle', 'gate_check', 'awaiting_model', 'tool_exec', 'posted', 'failed'] as const;
export type Phase = (typeof PHASES)[number];

const at = z.number();
const reason = z.object({ code: z.string(), remainingMs: z.number().optional(), detail: z.string().optional() });

const call = z.object({
	at,
	callId: z.string(),
	tool: z.string(),
	/** Shortened JSON of the arguments, for people. */
	args: z.string(),
	state: z.enum([
		'attempted',
		'running',
		'confirmed',
		'unconfirmed',
		'failed',
		'blocked',
		'invalid',
		'dry_run',
		'unknown',
	]),
	reasons: z.array(reason).optional(),
	summary: z.string().optional(),
});

const decision = z.object({
	id: z.string(),
	at,
	trigger: z.string(),
	attempt: z.number(),
	/** Who addressed it, shortened names. */
	addressedBy: z.array(z.string()),
	evidence: z.array(z.string()),
});

const modelInput = z.object({
	model: z.string(),
	messages: z.number(),
	turns: z.number(),
	estimatedTokens: z.number(),
	reportedTokens: z.number().optional(),
	available: z.array(z.string()),
	blocked: z.array(z.object({ tool: z.string(), reasons: z.array(reason) })),
});

const output = z.object({
	at,
	/** Shortened, exactly as the model wrote it. */
	raw: z.string(),
	mode: z.enum(['SKIP', 'CHAT', 'ACTION', 'ACTION+CHAT']),
	notes: z.array(z.string()),
	latencyMs: z.number(),
	chat: z.string().optional(),
	/** Why a line was not posted. */
	chatDropped: z.string().optional(),
});

export const overseerStatus = z.object({
	version: z.literal(STATUS_VERSION),
	kind: z.literal('overseer'),
	roomId: z.string(),
	/** Epoch ms of the last change. */
	updatedAt: at,
	name: z.string(),
	runtime: z.enum(['overseer', 'commentary', 'off']),
	stage: z.enum(['off', 'observe', 'chat', 'full']),
	/** Runtime, stage and pause together. */
	enabled: z.boolean(),
	/** The gate looked at the room lately. */
	running: z.boolean(),
	paused: z.boolean(),
	votedQuiet: z.boolean(),
	siteMode: z.enum(['open', 'admin', 'lockdown']),
	lightsLock: z.enum(['none', 'on', 'off']),
	phase: z.enum(PHASES),
	phaseAt: at,
	lastTrigger: z.object({ at, trigger: z.string(), note: z.string() }).optional(),
	lastHold: z.object({ at, reason: z.string() }).optional(),
	decision: decision.optional(),
	/** The last STATE_UPDATE, whole. */
	stateUpdate: z.string().optional(),
	modelInput: modelInput.optional(),
	output: output.optional(),
	/** Calls of the last decision. */
	calls: z.array(call),
	/** Epoch ms at which each family is ready again; the panel counts down by itself. */
	readyAt: z.record(z.string(), z.number()),
	budget: z.object({ minuteUsed: z.number(), minuteMax: z.number(), hourUsed: z.number(), hourMax: z.number() }),
	/** Newest first. */
	recentActions: z.array(call),
	backoffUntil: z.number().optional(),
	failures: z.number(),
	lastError: z.object({ at, code: z.string(), text: z.string() }).optional(),
});

export type OverseerStatus = z.infer<typeof overseerStatus>;
export type StatusCall = z.infer<typeof call>;
export type StatusOutput = z.infer<typeof output>;
export type StatusModelInput = z.infer<typeof modelInput>;
