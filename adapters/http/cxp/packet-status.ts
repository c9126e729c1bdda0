import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { IntakeErrorCode } from '../../../core/intake/error-code.ts';
import type { OutboundPacket } from '../../../core/intake/packet.ts';

const OF_ERROR: Readonly<Record<IntakeErrorCode, ContentfulStatusCode>> = {
	E01: 400,
	E02: 422,
	E03: 403,
	E04: 409,
	E05: 422,
	E06: 413,
	E07: 409,
	E08: 504,
	E09: 503,
	E10: 502,
	E11: 200,
	E12: 200,
	E13: 422,
	E14: 503,
	E15: 500,
};

/** HTTP status that goes with a packet. */
export function statusOf(packet: OutboundPacket): ContentfulStatusCode {
	if (packet.subject === 'error') return OF_ERROR[packet.code];
	return packet.subject === 'unavailable' ? 503 : 200;
}
