import type { RedisConnection } from '../connection.ts';
import { createIntakeKeys } from './intake-keys.ts';

/** Signed packets that were seen, so that none counts twice. */
export interface Nonces {
	/** True for the first to ask within `ms`. */
	first(name: string, ms: number): Promise<boolean>;
}

export function createNonces(redis: RedisConnection): Nonces {
	const keys = createIntakeKeys(redis.prefix);
	return {
		first: async (name, ms) =>
			(await redis.ask((client) => client.set(keys.nonce(name), '1', 'PX', ms, 'NX'))) === 'OK',
	};
}
