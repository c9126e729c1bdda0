import { ALIAS } from './addresses.ts';
import type { EffectOf } from './effect.ts';
import { INTAKE_ERRORS, type IntakeErrorCode } from './error-code.ts';
import { questionLines } from './machine/reply.ts';
import {
	type ErrorPacket,
	type OutboundPacket,
	outboundPacket,
	type QuestionsPacket,
	type UnavailablePacket,
} from './packet.ts';
import type { QuestionSet } from './question.ts';
import type { UnavailableReason } from './session.ts';

interface PacketHead {
	/** Same cause, same id. */
	readonly id: string;
	readonly sessionId?: string;
	readonly at: number;
}

const toHuman = ({ id, sessionId, at }: PacketHead) => ({
	id,
	from: ALIAS as typeof ALIAS,
	to: 'HUMAN' as const,
	...(sessionId === undefined ? {} : { sessionId }),
	at,
});

export function questionsPacketOf(set: QuestionSet, head: PacketHead): QuestionsPacket {
	return { ...toHuman(head), subject: 'questions', body: questionLines(set), questions: set };
}

export function errorPacketOf(code: IntakeErrorCode, head: PacketHead, detail?: string): ErrorPacket {
	const { sentence, kept, next } = INTAKE_ERRORS[code];
	const body = detail === undefined || detail === '' ? sentence : `${sentence} (${detail})`;
	return { ...toHuman(head), subject: 'error', body, code, kept, next };
}

export function unavailablePacketOf(reason: UnavailableReason, head: PacketHead): UnavailablePacket {
	return {
		...toHuman(head),
		subject: 'unavailable',
		body: 'The assistant is unavailable. Your text is kept, no round was used, and it is tried again by itself.',
		code: 'assistant_unavailable',
		reason,
	};
}

/** The packet that an effect is for whoever speaks in packets; undefined for effects that say nothing to anybody. */
export function packetOfEffect(
	effect: EffectOf<'ask' | 'error' | 'unavailable' | 'deliver'>,
	sessionId: string,
	at: number,
): OutboundPacket {
	const head = { id: effect.id, sessionId, at };
	switch (effect.kind) {
		case 'ask':
			return checkOutbound(questionsPacketOf(effect.set, head));
		case 'error':
			return checkOutbound(errorPacketOf(effect.code, head, effect.detail));
		case 'unavailable':
			return checkOutbound(unavailablePacketOf(effect.reason, head));
		case 'deliver':
			return checkOutbound(effect.packet);
	}
}

/** The run-time refusal of any address but ours: throws `ZodError` on a packet that names anybody else. */
export function checkOutbound(packet: unknown): OutboundPacket {
	return outboundPacket.parse(packet);
}
