import type { RedisConnection } from '../connection.ts';

/** Layout of keys and values that this version reads and writes. Raise it together with a new migration. */
export const SCHEMA_VERSION = 1;

const key = (prefix: string, part: 'version' | 'unfinished') => `{${prefix}:schema}:${part}`;

/** Version under this prefix; 0 when nobody has noted one. */
export async function readSchemaVersion(redis: RedisConnection): Promise<number> {
	const text = await redis.ask((client) => client.get(key(redis.prefix, 'version')));
	if (text === null) return 0;
	const version = Number(text);
	if (!Number.isInteger(version) || version < 0) throw new Error(`${key(redis.prefix, 'version')} holds no version`);
	return version;
}

export async function noteSchemaVersion(redis: RedisConnection, version: number): Promise<void> {
	await redis.ask((client) => client.set(key(redis.prefix, 'version'), version));
}

/** From here until `clearUnfinished` only half of a restored household is there. */
export async function markUnfinished(redis: RedisConnection): Promise<void> {
	await redis.ask((client) => client.set(key(redis.prefix, 'unfinished'), '1'));
}

export async function clearUnfinished(redis: RedisConnection): Promise<void> {
	await redis.ask((client) => client.del(key(redis.prefix, 'unfinished')));
}

export async function isUnfinished(redis: RedisConnection): Promise<boolean> {
	return (await redis.ask((client) => client.exists(key(redis.prefix, 'unfinished')))) === 1;
}

/** True for the mark of an unfinished restore, which belongs to no household. */
export function isMark(name: string, prefix: string): boolean {
	return name === key(prefix, 'unfinished');
}
