import type { RedisConnection } from '../connection.ts';
import { everyKey, tagOf } from '../every-key.ts';
import { isMark, readSchemaVersion } from '../migrations/schema-version.ts';
import { parseInfo } from '../policy.ts';
import { writeBackupFile } from './backup-file.ts';
import { readKeys } from './read-keys.ts';
import type { StoredKey } from './value.ts';

/** Tags read at a time: enough to hide the way to the server, few enough for small memory. */
const AT_ONCE = 16;

/**
 * Saves everything under the prefix while the house runs. Each room, each queue and each store is saved as it was at one
 * moment; between them seconds can lie. Leases are left out: they belong to processes, not to the house.
 */
export async function backUp(redis: RedisConnection, path: string): Promise<{ keys: number }> {
	const [seconds] = await redis.ask((client) => client.time());
	const at = Number(seconds) * 1_000;
	const server = parseInfo(await redis.ask((client) => client.info('server')).catch(() => ''));
	const head = {
		prefix: redis.prefix,
		schema: await readSchemaVersion(redis),
		at,
		server: server['valkey_version'] ?? server['redis_version'] ?? 'unknown',
	};
	return { keys: await writeBackupFile(path, head, allKeys(redis, at)) };
}

async function* allKeys(redis: RedisConnection, at: number): AsyncGenerator<StoredKey> {
	const byTag = new Map<string, string[]>();
	for (const key of await everyKey(redis)) {
		if (isLease(key, redis.prefix) || isMark(key, redis.prefix)) continue;
		const group = byTag.get(tagOf(key));
		if (group) group.push(key);
		else byTag.set(tagOf(key), [key]);
	}
	const groups = [...byTag.values()];
	for (let start = 0; start < groups.length; start += AT_ONCE) {
		const batch = groups.slice(start, start + AT_ONCE).map((keys) => readKeys(redis, keys, at));
		for (const read of await Promise.all(batch)) yield* read;
	}
}

export function isLease(key: string, prefix: string): boolean {
	return key.startsWith(`{${prefix}:lease:`);
}
