import type { Throttle } from '../../../core/overseer/stores.ts';
import type { RedisConnection } from '../connection.ts';

export function createThrottle(redis: RedisConnection): Throttle {
	return {
		async once(name, ms) {
			// Redis takes no expiry of nothing.
			if (ms < 1) return true;
			const key = `{${redis.prefix}:once:${name}}:v1`;
			return (await redis.ask((client) => client.set(key, '1', 'PX', ms, 'NX'))) === 'OK';
		},
	};
}
