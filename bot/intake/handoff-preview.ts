import type { IntakeSettings } from '../../config/intake.ts';
import { buildHandoff } from '../../core/intake/handoff/handoff.ts';
import type { HandoffPacket } from '../../core/intake/handoff-packet.ts';
import type { IntakeSession } from '../../core/intake/session.ts';

/** The packet as it was locked, or as it would be if it were locked now; undefined while nothing is compiled. */
export function handoffPreview(session: IntakeSession, settings: IntakeSettings): HandoffPacket | undefined {
	const { finalization, packet, state } = session;
	// In a review the packet of an earlier lock, which was refused, is not what would leave now.
	if (packet !== undefined && state !== 'REVIEW') return packet;
	// The time of compiling, not of looking: the same state always gives the same files.
	return finalization && buildHandoff(session, finalization, settings, finalization.at);
}
