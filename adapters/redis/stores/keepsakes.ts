import type { RedisConnection } from '../connection.ts';

/** Small texts that must outlive a restart, by name. */
export interface Keepsakes {
	get(name: string): Promise<string | undefined>;
	/** `undefined` forgets it. */
	set(name: string, value: string | undefined): Promise<void>;
}

export function createKeepsakes(redis: RedisConnection): Keepsakes {
	const key = `{${redis.prefix}:keepsakes}:v1`;
	return {
		get: async (name) => (await redis.ask((client) => client.hget(key, name))) ?? undefined,
		async set(name, value) {
			await redis.ask(
				async (client) => await (value === undefined ? client.hdel(key, name) : client.hset(key, name, value)),
			);
		},
	};
}
