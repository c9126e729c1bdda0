import type { RedisConnection } from '../../adapters/redis/connection.ts';
import { createRedisHolders } from '../../adapters/redis/people/holders.ts';
import type { PersonHolder } from '../../core/operations/person.ts';

/** Every place that may hold something about a person. A store that keeps ids, names or words of people belongs here. */
export function personHolders(redis: RedisConnection): PersonHolder[] {
	return [...createRedisHolders(redis)];
}
