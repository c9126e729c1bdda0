import { z } from 'zod';
import { ALIAS, ROLE } from './addresses.ts';
import { ALL_OPEN, dimensionStates } from './dimension.ts';
import { intakeErrorCode } from './error-code.ts';
import { excludedFact, fact } from './fact.ts';
import { finalFields } from './final-fields.ts';
import { governanceVerdict } from './governance-port.ts';
import { finalCause, handoffPacket, trigger } from './handoff-packet.ts';
import { questionSet } from './question.ts';
import { rawQuestion } from './reply/raw-question.ts';
import { messagePart, turn } from './turn.ts';

/** Raised when a field changes its meaning. */
const SESSION_VERSION = 1;

export const INTAKE_STATES = [
	'IDLE',
	'INTENT_RECEIVED',
	'QUESTIONING',
	'RESPONSE_RECEIVED',
	'FINALIZING',
	'REVIEW',
	'HANDOVER',
	'COMPLETE',
	'SUSPENDED',
	'CANCELLED',
] as const;
export const intakeState = z.enum(INTAKE_STATES);
export type IntakeState = z.infer<typeof intakeState>;

/** Where the conversation takes place. Ids are opaque to the machine. */
export const intakePlace = z.discriminatedUnion('kind', [
	z.strictObject({ kind: z.literal('discord'), guildId: z.string(), channelId: z.string(), threadId: z.string() }),
	z.strictObject({ kind: z.literal('cxp'), caller: z.string() }),
]);
export type IntakePlace = z.infer<typeof intakePlace>;

/** Why a model is called. `ask`: next questions or completion. `finalize`: compile now. `compile`: the same, asked a last time. */
export const callPurpose = z.enum(['ask', 'finalize', 'compile']);
export type CallPurpose = z.infer<typeof callPurpose>;

/** What was wrong with the reply before, so that the prompt can say so. */
export const followUp = z.enum(['must_ask', 'unusable', 'lint', 'not_final']);
export type FollowUpKind = z.infer<typeof followUp>;

const call = z.strictObject({
	/** `<session>:c<n>`; replies under any other id are too late. */
	id: z.string(),
	purpose: callPurpose,
	/** 1, or 2 after a transient failure. */
	attempt: z.int(),
	followUp: followUp.optional(),
	/** Offending questions of the reply before, with the rule each broke. */
	complaints: z.array(z.string()),
	/** Good questions of the reply before, for when this call comes to nothing. */
	spare: z.array(rawQuestion),
	startedAt: z.number(),
	/** After this the call counts as lost (its worker died). */
	deadlineAt: z.number(),
	/** Round count to return to when the call comes to nothing. */
	roundBefore: z.int(),
});
export type AwaitedCall = z.infer<typeof call>;

export const suspendReason = z.enum(['assistant_unavailable', 'thread_locked', 'no_permission', 'operator']);

export const unavailableReason = z.enum(['model', 'worker', 'redis', 'timeout', 'paused', 'limit']);
export type UnavailableReason = z.infer<typeof unavailableReason>;

const suspension = z.strictObject({
	reason: suspendReason,
	/** State to go back to. */
	from: intakeState,
	since: z.number(),
	/** For `assistant_unavailable`: what could not be reached, and the call to make again. */
	unavailable: unavailableReason.optional(),
	purpose: callPurpose.optional(),
	retryAt: z.number().optional(),
	/** Calls made in vain since the outage began. */
	tries: z.int(),
	/** Round count the interrupted call was made for. */
	roundAfter: z.int().optional(),
});

const finalization = z.strictObject({
	trigger,
	cause: finalCause,
	roundCount: z.int(),
	at: z.number(),
	fields: finalFields,
	uiRequired: z.boolean(),
	/** What the model did not give: `all`, `summary`, `name`, `facts`. */
	standIns: z.array(z.string()),
});
export type Finalization = z.infer<typeof finalization>;

export const intakeSession = z.strictObject({
	version: z.literal(SESSION_VERSION),
	/** Grows by one with each change; the store's compare-and-set rests on it. */
	revision: z.int(),
	id: z.string().min(1),
	alias: z.literal(ALIAS),
	role: z.literal(ROLE),
	state: intakeState,
	place: intakePlace,
	requesterId: z.string(),
	coOwnerIds: z.array(z.string()),
	/** Language tag of the word lists to use, such as `en`. */
	language: z.string(),
	/** Whether a person reviews before handover. */
	review: z.boolean(),
	createdAt: z.number(),
	updatedAt: z.number(),
	originalIntent: z.string(),
	history: z.array(turn),
	roundCount: z.int().min(0),
	questionSets: z.array(questionSet),
	dimensions: dimensionStates,
	/** Text that waits to become an answer. `quietUntil` absent: it waits for the next set of questions. */
	pending: z.strictObject({ parts: z.array(messagePart), quietUntil: z.number().optional() }).optional(),
	call: call.optional(),
	callCount: z.int(),
	/** The one further try of this round was used. */
	regenerated: z.boolean(),
	/** Compilations started after the first one. */
	recompiled: z.int(),
	suspension: suspension.optional(),
	/** A reply that came while the thread was locked. */
	heldReply: z.strictObject({ callId: z.string(), text: z.string(), structured: z.unknown().optional() }).optional(),
	/** Compiling has begun: why, and what fields were given so far. */
	ending: z.strictObject({ trigger, cause: finalCause, fields: finalFields }).optional(),
	finalization: finalization.optional(),
	/** Canonical facts as one text; empty until compiled. */
	prologFacts: z.string(),
	facts: z.array(fact),
	excluded: z.array(excludedFact),
	/** Epoch ms at which the review locks itself. */
	autoLockAt: z.number().optional(),
	packet: handoffPacket.optional(),
	/** Locks so far; part of the packet id. */
	lockCount: z.int(),
	verdict: governanceVerdict.optional(),
	delivery: z.enum(['waiting', 'failed', 'done']).optional(),
	lastError: z.strictObject({ code: intakeErrorCode, at: z.number() }).optional(),
	cancelReason: z.string().optional(),
	/** Event ids already dealt with. */
	seen: z.array(z.string()),
	/** Messages whose late edit was pointed out. */
	toldEdits: z.array(z.string()),
});
export type IntakeSession = z.infer<typeof intakeSession>;

export interface NewSession {
	readonly id: string;
	readonly place: IntakePlace;
	readonly requesterId: string;
	readonly language?: string;
	readonly review: boolean;
}

/** An empty session that shares nothing with any other. */
export function freshSession(start: NewSession, now: number): IntakeSession {
	return {
		version: SESSION_VERSION,
		revision: 0,
		id: start.id,
		alias: ALIAS,
		role: ROLE,
		state: 'IDLE',
		place: start.place,
		requesterId: start.requesterId,
		coOwnerIds: [],
		language: start.language ?? 'en',
		review: start.review,
		createdAt: now,
		updatedAt: now,
		originalIntent: '',
		history: [],
		roundCount: 0,
		questionSets: [],
		dimensions: { ...ALL_OPEN },
		callCount: 0,
		regenerated: false,
		recompiled: 0,
		prologFacts: '',
		facts: [],
		excluded: [],
		lockCount: 0,
		seen: [],
		toldEdits: [],
	};
}

/** A stored session read back; undefined when it is damaged or of another version. */
export function readSession(value: unknown): IntakeSession | undefined {
	const read = intakeSession.safeParse(value);
	return read.success ? read.data : undefined;
}
