import { z } from 'zod';
import type { RedisConnection } from '../connection.ts';
import { REPLACE_STREAM } from './rewrite.ts';

const PAGE = 500;
const replySchema = z.array(z.tuple([z.string(), z.array(z.string())]));

export type StreamEntry = z.infer<typeof replySchema>[number];

export async function* streamEntries(redis: RedisConnection, key: string): AsyncGenerator<StreamEntry> {
	for (let start = '-'; ; ) {
		const page = replySchema.parse(await redis.ask((client) => client.xrange(key, start, '+', 'COUNT', PAGE)));
		yield* page;
		const last = page.at(-1);
		if (!last || page.length < PAGE) return;
		start = `(${last[0]}`;
	}
}

/**
 * Writes a stream anew under the same ids with each field changed by `clean`, while others append to it. Returns how many
 * entries changed; when none would, nothing is written. Readers' groups would be lost in that, so in a stream that has
 * some the entries are removed instead.
 */
export async function rewriteStream(
	redis: RedisConnection,
	key: string,
	clean: (field: string) => string,
): Promise<number> {
	const affected: string[] = [];
	for await (const [id, fields] of streamEntries(redis, key))
		if (fields.some((field) => clean(field) !== field)) affected.push(id);
	if (affected.length === 0) return 0;
	const groups = await redis.ask((client) => client.xinfo('GROUPS', key));
	if (Array.isArray(groups) && groups.length > 0) {
		for (const id of affected) await redis.ask((client) => client.xdel(key, id));
		return affected.length;
	}
	const copy = `${key}:rewritten`;
	await redis.ask((client) => client.del(copy));
	let last = '0-0';
	for await (const [id, fields] of streamEntries(redis, key)) {
		await redis.ask((client) => client.xadd(copy, id, ...fields.map(clean)));
		last = id;
	}
	await redis.run(REPLACE_STREAM, [key, copy], [last]);
	return affected.length;
}
