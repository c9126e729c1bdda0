import type { AnalystReading } from '../../../core/intake/analyst-reading.ts';
import type { NoticeCode } from '../../../core/intake/effect.ts';
import type { OutboundPacket } from '../../../core/intake/packet.ts';
import { type SigningKey, signPacket } from '../../../core/intake/packet-signature.ts';
import {
	checkOutbound,
	errorPacketOf,
	questionsPacketOf,
	unavailablePacketOf,
} from '../../../core/intake/reply-packet.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { SurfaceItem, SurfaceItems } from '../../../core/intake/surface.ts';

/** One thing the session said, numbered from 1 in the order in which it was said. */
export type Answer = { readonly seq: number } & (
	| { readonly kind: 'packet'; readonly packet: OutboundPacket }
	| { readonly kind: 'notice'; readonly code: NoticeCode }
	| { readonly kind: 'reading'; readonly reading: AnalystReading }
);

/** Errors that the intake gets over by itself: the packet that matters comes after them. */
const IN_PASSING: ReadonlySet<string> = new Set(['E10', 'E11', 'E12']);

/** Whether a caller who waits for the next packet waits for this one. */
export function isNextPacket(answer: Answer): answer is Extract<Answer, { kind: 'packet' }> {
	if (answer.kind !== 'packet') return false;
	return answer.packet.subject !== 'error' || !IN_PASSING.has(answer.packet.code);
}

function answerOf(seq: number, item: SurfaceItem, session: IntakeSession, now: number): Answer | undefined {
	const head = { id: item.id, sessionId: session.id, at: now };
	const packet = (made: OutboundPacket): Answer => ({ seq, kind: 'packet', packet: checkOutbound(made) });
	switch (item.kind) {
		case 'ask':
			return packet(questionsPacketOf(item.set, { ...head, at: item.set.askedAt }));
		case 'error':
			return packet(errorPacketOf(item.code, head, item.detail));
		case 'unavailable':
			return packet(unavailablePacketOf(item.reason, head));
		case 'done':
			if (item.state === 'COMPLETE' && session.packet) return packet(session.packet);
			return packet(errorPacketOf('E07', head, session.cancelReason));
		case 'notice':
			return { seq, kind: 'notice', code: item.code };
		case 'reading':
			return { seq, kind: 'reading', reading: item.reading };
		default:
			return undefined;
	}
}

/** Everything a session has said so far, after a number. */
export async function answersAfter(
	surface: SurfaceItems,
	session: IntakeSession,
	after: number,
	now: number,
): Promise<readonly Answer[]> {
	const items = await surface.items(session.id, 'cxp');
	return items.flatMap(({ item }, index) => {
		const seq = index + 1;
		return item && seq > after ? (answerOf(seq, item, session, now) ?? []) : [];
	});
}

/** The packet as it leaves: signed when the caller has a key. */
export function sealedPacket(packet: OutboundPacket, key: SigningKey | undefined, now: number, nonce: string): object {
	return key ? signPacket(packet, key, now, nonce) : packet;
}
