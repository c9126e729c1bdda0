import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from './canonical-json.ts';

export const packetSignature = z.strictObject({
	keyId: z.string().min(1).max(40),
	/** Epoch ms at which it was signed. */
	at: z.number(),
	/** Different for each sending, so that one cannot be sent twice. */
	nonce: z.string().min(8).max(80),
	/** Hexadecimal HMAC-SHA-256 of the packet's canonical JSON with this signature, `value` left out. */
	value: z.string().regex(/^[0-9a-f]{64}$/),
});
export type PacketSignature = z.infer<typeof packetSignature>;

export interface SigningKey {
	readonly id: string;
	readonly secret: string;
}

const digest = (packet: object, head: Omit<PacketSignature, 'value'>, secret: string): string =>
	createHmac('sha256', secret)
		.update(canonicalJson({ ...packet, signature: head }), 'utf8')
		.digest('hex');

/** The packet with its signature. */
export function signPacket<Packet extends object>(
	packet: Packet,
	key: SigningKey,
	at: number,
	nonce: string,
): Packet & { signature: PacketSignature } {
	const head = { keyId: key.id, at, nonce };
	return { ...packet, signature: { ...head, value: digest(packet, head, key.secret) } };
}

export type SignatureCheck =
	| { readonly ok: true; readonly signature: PacketSignature }
	| {
			readonly ok: false;
			readonly why: 'missing' | 'malformed' | 'unknown_key' | 'too_old' | 'from_the_future' | 'wrong';
	  };

/** Whether a packet was signed with one of the keys, within `windowMs` of now. That its nonce is new is the caller's check. */
export function checkSignature(
	packet: Readonly<Record<string, unknown>>,
	keys: readonly SigningKey[],
	now: number,
	windowMs: number,
): SignatureCheck {
	const { signature, ...rest } = packet;
	if (signature === undefined) return { ok: false, why: 'missing' };
	const read = packetSignature.safeParse(signature);
	if (!read.success) return { ok: false, why: 'malformed' };
	const { value, ...head } = read.data;
	const key = keys.find(({ id }) => id === head.keyId);
	if (!key) return { ok: false, why: 'unknown_key' };
	const wanted = Buffer.from(digest(rest, head, key.secret), 'hex');
	if (!timingSafeEqual(wanted, Buffer.from(value, 'hex'))) return { ok: false, why: 'wrong' };
	if (head.at < now - windowMs) return { ok: false, why: 'too_old' };
	if (head.at > now + windowMs) return { ok: false, why: 'from_the_future' };
	return { ok: true, signature: read.data };
}
