import type { RedisConnection } from '../connection.ts';
import { everyKey } from '../every-key.ts';
import { clearUnfinished, isMark, markUnfinished, SCHEMA_VERSION } from '../migrations/schema-version.ts';
import { isLease } from './backup.ts';
import { type BackupHead, checkBackupFile, readBackupFile } from './backup-file.ts';
import { BadBackup, RestoreRefused } from './errors.ts';
import { writeKey } from './write-key.ts';

export interface Restored {
	readonly head: BackupHead;
	readonly keys: number;
	/** Keys whose time had ended since the backup. */
	readonly ended: number;
	/** Keys that were there and were removed first. */
	readonly removed: number;
}

/**
 * Puts a backup back under this connection's prefix, which may be another one than it was made from. Checks the whole file
 * before it changes anything. Rejects with BadBackup or RestoreRefused; a restore that breaks off leaves a mark that
 * keeps the house from starting on half of it.
 */
export async function restore(
	redis: RedisConnection,
	path: string,
	options: { readonly replace: boolean },
): Promise<Restored> {
	const { head } = await checkBackupFile(path);
	if (head.schema > SCHEMA_VERSION)
		throw new BadBackup(
			`${path} has key layout ${head.schema}; this version knows up to ${SCHEMA_VERSION}. Use the newer one.`,
		);
	const present = (await everyKey(redis)).filter((key) => !isMark(key, redis.prefix));
	if (present.some((key) => isLease(key, redis.prefix)))
		throw new RestoreRefused(
			'in_use',
			'a household runs on this Redis and prefix: stop every process of it, wait ten seconds, try again',
		);
	if (present.length > 0 && !options.replace)
		throw new RestoreRefused(
			'not_empty',
			`${present.length} keys are under the prefix ${redis.prefix}; --replace removes them first`,
		);
	await markUnfinished(redis);
	const removed = await remove(redis, present);
	const [seconds] = await redis.ask((client) => client.time());
	const now = Number(seconds) * 1_000;
	let [keys, ended] = [0, 0];
	for await (const item of readBackupFile(path)) {
		if (item.kind === 'head') continue;
		const key = moved(item.key.key, head.prefix, redis.prefix);
		if (await writeKey(redis, { ...item.key, key }, now)) keys += 1;
		else ended += 1;
	}
	await clearUnfinished(redis);
	return { head, keys, ended, removed };
}

async function remove(redis: RedisConnection, keys: readonly string[]): Promise<number> {
	for (const key of keys) await redis.ask((client) => client.unlink(key));
	return keys.length;
}

function moved(key: string, from: string, to: string): string {
	if (!key.startsWith(`{${from}:`)) throw new BadBackup(`a key in it is not of the prefix ${from}`);
	return `{${to}:${key.slice(from.length + 2)}`;
}
