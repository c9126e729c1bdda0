import { z } from 'zod';
import { ALIAS } from './addresses.ts';
import { intakeErrorCode } from './error-code.ts';
import { handoffPacket } from './handoff-packet.ts';
import { questionSet } from './question.ts';
import { unavailableReason } from './session.ts';

/** Packet as it comes in, before any rule is applied: only its shape. Unknown members are allowed and dropped. */
export const inboundPacket = z.object({
	from: z.string(),
	to: z.string(),
	subject: z.string(),
	body: z.string(),
	/** Makes a repeated delivery harmless. */
	id: z.string().min(1).max(200).optional(),
	sessionId: z.string().min(1).max(100).optional(),
	at: z.number().optional(),
	signature: z.unknown().optional(),
});

const head = {
	id: z.string(),
	from: z.literal(ALIAS),
	to: z.literal('HUMAN'),
	sessionId: z.string().optional(),
	at: z.number(),
};

export const questionsPacket = z.strictObject({
	...head,
	subject: z.literal('questions'),
	/** The questions as text, a line each, `D1: …`. */
	body: z.string().min(1),
	questions: questionSet,
});
export const errorPacket = z.strictObject({
	...head,
	subject: z.literal('error'),
	body: z.string().min(1),
	code: intakeErrorCode,
	kept: z.string(),
	next: z.string(),
});
/** The explicit answer when the assistant cannot be reached. */
export const unavailablePacket = z.strictObject({
	...head,
	subject: z.literal('unavailable'),
	body: z.string().min(1),
	code: z.literal('assistant_unavailable'),
	reason: unavailableReason,
});

/** Everything that may leave us. The schema is the run-time refusal of any other address. */
export const outboundPacket = z.discriminatedUnion('subject', [
	questionsPacket,
	errorPacket,
	unavailablePacket,
	handoffPacket,
]);
export type OutboundPacket = z.infer<typeof outboundPacket>;
export type QuestionsPacket = z.infer<typeof questionsPacket>;
export type ErrorPacket = z.infer<typeof errorPacket>;
export type UnavailablePacket = z.infer<typeof unavailablePacket>;
