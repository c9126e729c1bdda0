import type { RedisConnection } from '../connection.ts';
import { fromChunk, type StoredKey, type StoredValue } from './value.ts';

/** Few enough values a command that no reply keeps others waiting. */
const BATCH = 500;

/** Puts one key back. It must not be there. What has ended since the backup is not put back: false. */
export async function writeKey(
	redis: RedisConnection,
	{ key, until, value }: StoredKey,
	now: number,
): Promise<boolean> {
	if (until !== undefined && until <= now) return false;
	await fill(redis, key, value);
	if (until !== undefined) await redis.ask((client) => client.pexpireat(key, Math.round(until)));
	return true;
}

async function fill(redis: RedisConnection, key: string, value: StoredValue): Promise<void> {
	const client = redis.handlers;
	switch (value.type) {
		case 'string':
			await redis.ask(() => client.set(key, fromChunk(value.text)));
			return;
		case 'list':
			for (const part of batches(value.items)) await redis.ask(() => client.rpush(key, ...part.map(fromChunk)));
			return;
		case 'set':
			for (const part of batches(value.members)) await redis.ask(() => client.sadd(key, ...part.map(fromChunk)));
			return;
		case 'hash':
			for (const part of batches(value.fields))
				await redis.ask(() => client.hset(key, ...part.flatMap(([name, item]) => [fromChunk(name), fromChunk(item)])));
			return;
		case 'zset':
			for (const part of batches(value.members))
				await redis.ask(() => client.zadd(key, ...part.flatMap(([member, score]) => [score, fromChunk(member)])));
			return;
		case 'stream':
			await fillStream(redis, key, value);
	}
}

async function fillStream(
	redis: RedisConnection,
	key: string,
	{ entries, groups, lastId }: Extract<StoredValue, { type: 'stream' }>,
): Promise<void> {
	const client = redis.handlers;
	for (const part of batches(entries)) {
		const multi = client.multi();
		for (const [id, fields] of part) multi.xadd(key, id, ...fields.map(fromChunk));
		const replies = await redis.ask(() => multi.exec());
		const failed = replies?.find(([error]) => error)?.[0];
		if (failed) throw failed;
	}
	if (entries.length === 0 && lastId !== '0-0') {
		// An empty stream still knows its last id; only an entry that comes and goes can tell it.
		await redis.ask(() => client.xadd(key, lastId, 'gone', '1'));
		await redis.ask(() => client.xdel(key, lastId));
	}
	for (const { name, at, pending } of groups) {
		await redis.ask(() => client.xgroup('CREATE', key, name, at, 'MKSTREAM'));
		for (const [id, consumer, deliveries] of pending)
			await redis.ask(() =>
				client.call('XCLAIM', key, name, consumer, 0, id, 'RETRYCOUNT', deliveries, 'FORCE', 'JUSTID'),
			);
	}
	if (entries.length > 0 && lastId !== entries.at(-1)?.[0]) await redis.ask(() => client.call('XSETID', key, lastId));
}

function batches<T>(items: readonly T[]): T[][] {
	const parts: T[][] = [];
	for (let start = 0; start < items.length; start += BATCH) parts.push(items.slice(start, start + BATCH));
	return parts;
}
