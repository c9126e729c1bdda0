import { z } from 'zod';
import type { RedisConnection } from '../connection.ts';
import { type StoredKey, type StoredValue, toChunk } from './value.ts';

const TRIES = 5;
const STREAM_PAGE = 500;
const PENDING_MAX = 10_000;

const bytes = z.instanceof(Buffer);
const types = ['string', 'list', 'set', 'hash', 'zset', 'stream'] as const;
type Kind = (typeof types)[number];

/**
 * Keys of one hash tag as they are at one moment, streams up to that moment. Keys that ended meanwhile are left out.
 * Rejects when the keys change their kinds again and again, and as every Redis command does.
 */
export async function readKeys(redis: RedisConnection, keys: readonly string[], now: number): Promise<StoredKey[]> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await readOnce(redis, keys, now);
		} catch (error) {
			// A key became another kind between the question and the reading.
			if (attempt === TRIES || !String(error).includes('WRONGTYPE')) throw error;
		}
	}
}

async function readOnce(redis: RedisConnection, keys: readonly string[], now: number): Promise<StoredKey[]> {
	const kinds = await Promise.all(keys.map((key) => redis.ask((client) => client.type(key))));
	const present = keys.flatMap((key, index) => {
		const kind = types.find((one) => one === kinds[index]);
		if (kind) return [{ key, kind }];
		if (kinds[index] !== 'none') throw new Error(`${key} is a ${kinds[index]}, which a backup cannot hold`);
		return [];
	});
	if (present.length === 0) return [];
	const multi = redis.handlers.multi();
	for (const { key, kind } of present) {
		multi.pttl(key);
		question(multi, key, kind);
	}
	const replies = (await redis.ask(() => multi.exec())) ?? [];
	const read: StoredKey[] = [];
	for (const [index, { key, kind }] of present.entries()) {
		const ttl = Number(replyOf(replies[index * 2]));
		const reply = replyOf(replies[index * 2 + 1]);
		if (ttl === -2) continue;
		const value = kind === 'stream' ? await readStream(redis, key) : valueFrom(kind, reply);
		if (value) read.push({ key, ...(ttl >= 0 ? { until: now + ttl } : {}), value });
	}
	return read;
}

type Multi = ReturnType<RedisConnection['handlers']['multi']>;

function question(multi: Multi, key: string, kind: Kind): void {
	if (kind === 'string') multi.getBuffer(key);
	else if (kind === 'list') multi.lrangeBuffer(key, 0, -1);
	else if (kind === 'set') multi.smembersBuffer(key);
	else if (kind === 'hash') multi.hgetallBuffer(key);
	else if (kind === 'zset') multi.zrangeBuffer(key, 0, -1, 'WITHSCORES');
	// Its entries never change and are read in pages afterwards; here it only has to be there.
	else multi.xlen(key);
}

function replyOf(reply: [error: Error | null, value: unknown] | undefined): unknown {
	if (reply?.[0]) throw reply[0];
	return reply?.[1];
}

function valueFrom(kind: Exclude<Kind, 'stream'>, reply: unknown): StoredValue {
	if (kind === 'string') return { type: kind, text: toChunk(bytes.parse(reply)) };
	if (kind === 'hash') {
		return { type: kind, fields: pairsOf(reply).map(([name, value]) => [toChunk(name), toChunk(value)]) };
	}
	const items = z.array(bytes).parse(reply);
	if (kind === 'list') return { type: kind, items: items.map(toChunk) };
	if (kind === 'set') return { type: kind, members: items.map(toChunk) };
	const members: [ReturnType<typeof toChunk>, string][] = [];
	for (let index = 0; index + 1 < items.length; index += 2)
		members.push([toChunk(bytes.parse(items[index])), String(items[index + 1])]);
	return { type: kind, members };
}

/** The client gives hashes as an object or, in a transaction of a cluster, as a flat list. */
function pairsOf(reply: unknown): [Buffer, Buffer][] {
	if (!Array.isArray(reply))
		return Object.entries(reply as Record<string, unknown>).map(([name, value]) => [
			Buffer.from(name),
			bytes.parse(value),
		]);
	const pairs: [Buffer, Buffer][] = [];
	for (let index = 0; index + 1 < reply.length; index += 2)
		pairs.push([bytes.parse(reply[index]), bytes.parse(reply[index + 1])]);
	return pairs;
}

const entriesReply = z.array(z.tuple([bytes, z.array(bytes)]));
const pendingReply = z.array(z.tuple([z.string(), z.string(), z.number(), z.number()]));

/** Readers first: a group must never stand ahead of the entries that are kept. */
async function readStream(redis: RedisConnection, key: string): Promise<StoredValue | undefined> {
	const groups: Extract<StoredValue, { type: 'stream' }>['groups'] = [];
	const listed = await redis.ask((client) => client.xinfo('GROUPS', key)).catch(gone);
	if (listed === undefined) return undefined;
	for (const info of listed as unknown[]) {
		const fields = flatFields(info);
		const name = String(fields['name']);
		const pending = pendingReply.parse(await redis.ask((client) => client.xpending(key, name, '-', '+', PENDING_MAX)));
		groups.push({
			name,
			at: String(fields['last-delivered-id']),
			pending: pending.map(([id, consumer, , deliveries]) => [id, consumer, deliveries]),
		});
	}
	const lastId = String(flatFields(await redis.ask((client) => client.xinfo('STREAM', key)))['last-generated-id']);
	const entries: [string, ReturnType<typeof toChunk>[]][] = [];
	for (let start = '-'; ; ) {
		const page = entriesReply.parse(
			await redis.ask((client) => client.xrangeBuffer(key, start, lastId, 'COUNT', STREAM_PAGE)),
		);
		for (const [id, fields] of page) entries.push([String(id), fields.map(toChunk)]);
		const last = page.at(-1);
		if (!last || page.length < STREAM_PAGE) return { type: 'stream', lastId, entries, groups };
		start = `(${last[0]}`;
	}
}

function gone(error: unknown): undefined {
	if (String(error).includes('no such key')) return undefined;
	throw error;
}

function flatFields(info: unknown): Record<string, unknown> {
	const list = z.array(z.unknown()).parse(info);
	const fields: Record<string, unknown> = {};
	for (let index = 0; index + 1 < list.length; index += 2) fields[String(list[index])] = list[index + 1];
	return fields;
}
