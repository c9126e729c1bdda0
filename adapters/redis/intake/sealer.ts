import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A sealed text cannot be opened: its key is not known here, it was changed, or it belongs somewhere else. */
export class SealBroken extends Error {
	override readonly name = 'SealBroken';
	readonly code = 'seal_broken';
	constructor(why: 'unknown_key' | 'changed' | 'not_sealed') {
		super(`a sealed text cannot be opened: ${why}`);
	}
}

/** There is no key and nobody said that none is wanted. */
export class NoIntakeKey extends Error {
	override readonly name = 'NoIntakeKey';
	readonly code = 'no_intake_key';
	constructor() {
		super('INTAKE_KEYS is not set: intakes are stored encrypted only. Set it, or set intake.ephemeral: true.');
	}
}

/** Encrypts what is stored. `belongsTo` says where the text lies; put anywhere else it does not open. */
export interface Sealer {
	seal(text: string, belongsTo: string): string;
	/** @throws {SealBroken} */
	open(sealed: string, belongsTo: string): string;
	/** Name of the key that encrypts. */
	readonly keyId: string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Shorter texts do not get smaller. */
const DEFLATE_FROM = 1_024;
/** A damaged or hostile stream must not fill the memory. */
const MAX_PLAIN_BYTES = 64 * 1_024 * 1_024;

export interface IntakeKey {
	readonly id: string;
	/** 32 bytes in base64. */
	readonly secret: string;
}

/**
 * AES-256-GCM under the first key; all keys open. Form: `s1.<key id>.<base64url of iv, ciphertext, tag>`, where the first
 * byte of the plain bytes says whether the rest is deflated.
 * @throws {NoIntakeKey} without keys, unless `ephemeral`: then one is made that lives in this process only.
 */
export function createSealer(keys: readonly IntakeKey[], ephemeral: boolean): Sealer {
	const known = new Map(keys.map(({ id, secret }) => [id, Buffer.from(secret, 'base64')]));
	if (known.size === 0) {
		if (!ephemeral) throw new NoIntakeKey();
		known.set('ephemeral', randomBytes(32));
	}
	const keyId = [...known.keys()][0]!;
	const current = known.get(keyId)!;
	const bound = (id: string, belongsTo: string) => Buffer.from(`s1|${id}|${belongsTo}`, 'utf8');

	return {
		keyId,
		seal(text, belongsTo) {
			const plain = Buffer.from(text, 'utf8');
			const packed =
				plain.length < DEFLATE_FROM
					? Buffer.concat([Buffer.from([0]), plain])
					: Buffer.concat([Buffer.from([1]), deflateRawSync(plain, { level: 1 })]);
			const iv = randomBytes(IV_BYTES);
			const cipher = createCipheriv('aes-256-gcm', current, iv);
			cipher.setAAD(bound(keyId, belongsTo));
			const sealed = Buffer.concat([iv, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
			return `s1.${keyId}.${sealed.toString('base64url')}`;
		},
		open(sealed, belongsTo) {
			const [, id, body] = /^s1\.([^.]+)\.([\w-]+)$/.exec(sealed) ?? [];
			if (id === undefined || body === undefined) throw new SealBroken('not_sealed');
			const key = known.get(id);
			if (!key) throw new SealBroken('unknown_key');
			const bytes = Buffer.from(body, 'base64url');
			if (bytes.length <= IV_BYTES + TAG_BYTES) throw new SealBroken('changed');
			try {
				const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
					authTagLength: TAG_BYTES,
				});
				decipher.setAAD(bound(id, belongsTo));
				decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
				const packed = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
				const rest = packed.subarray(1);
				const plain = packed[0] === 1 ? inflateRawSync(rest, { maxOutputLength: MAX_PLAIN_BYTES }) : rest;
				return plain.toString('utf8');
			} catch {
				throw new SealBroken('changed');
			}
		},
	};
}
