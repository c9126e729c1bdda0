import type { RedisConnection } from '../connection.ts';
import { everyKey } from '../every-key.ts';
import type { Migration } from './migration.ts';

/**
 * The journal of a decision was called `replies`, with the bare number of the step as field. A decision that was under
 * way keeps its replies, so that no model is asked twice.
 */
export const journalName: Migration = {
	to: 1,
	what: 'replies of decisions become their journal',
	async run(redis: RedisConnection) {
		const old = await everyKey(redis, `{${redis.prefix}:decision:*}:v1:replies`);
		for (const key of old) {
			const journal = key.replace(/:replies$/, ':journal');
			const replies = await redis.ask((client) => client.hgetall(key));
			const ttlMs = await redis.ask((client) => client.pttl(key));
			for (const [step, reply] of Object.entries(replies))
				await redis.ask((client) => client.hsetnx(journal, `reply:${step}`, reply));
			if (ttlMs > 0) await redis.ask((client) => client.pexpire(journal, ttlMs));
			await redis.ask((client) => client.del(key));
		}
		return old.length;
	},
};
