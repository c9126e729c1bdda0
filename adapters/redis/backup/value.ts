import { z } from 'zod';

/** Text as itself; bytes that are no UTF-8 as base64. */
const chunk = z.union([z.string(), z.strictObject({ b64: z.string() })]);
export type Chunk = z.infer<typeof chunk>;

const pair = z.tuple([chunk, chunk]);
const streamGroup = z.strictObject({
	name: z.string(),
	/** Last id that was delivered to it. */
	at: z.string(),
	/** Delivered and not acknowledged: id, consumer, deliveries. */
	pending: z.array(z.tuple([z.string(), z.string(), z.number()])),
});

/** One key of Redis as typed JSON, which every version of Redis and Valkey can take back. */
export const storedKey = z.strictObject({
	key: z.string(),
	/** Epoch ms at which it ends by itself. */
	until: z.number().optional(),
	value: z.discriminatedUnion('type', [
		z.strictObject({ type: z.literal('string'), text: chunk }),
		z.strictObject({ type: z.literal('list'), items: z.array(chunk) }),
		z.strictObject({ type: z.literal('set'), members: z.array(chunk) }),
		z.strictObject({ type: z.literal('hash'), fields: z.array(pair) }),
		/** Members with their scores as Redis writes them, `inf` among them. */
		z.strictObject({ type: z.literal('zset'), members: z.array(z.tuple([chunk, z.string()])) }),
		z.strictObject({
			type: z.literal('stream'),
			lastId: z.string(),
			entries: z.array(z.tuple([z.string(), z.array(chunk)])),
			groups: z.array(streamGroup),
		}),
	]),
});

export type StoredKey = z.infer<typeof storedKey>;
export type StoredValue = StoredKey['value'];

export function toChunk(bytes: Buffer): Chunk {
	const text = bytes.toString('utf8');
	return Buffer.from(text, 'utf8').equals(bytes) ? text : { b64: bytes.toString('base64') };
}

export function fromChunk(given: Chunk): Buffer {
	return typeof given === 'string' ? Buffer.from(given, 'utf8') : Buffer.from(given.b64, 'base64');
}
