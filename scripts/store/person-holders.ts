import type { RedisConnection } from '../../adapters/redis/connection.ts';
import { createIntakeStores } from '../../adapters/redis/intake/intake-stores.ts';
import { createRedisHolders } from '../../adapters/redis/people/holders.ts';
import { createIntakeHolder } from '../../adapters/redis/people/intake-holder.ts';
import type { Environment } from '../../config/env.ts';
import type { IntakeSettings } from '../../config/intake.ts';
import { wakeAt } from '../../core/intake/wake.ts';
import type { PersonHolder } from '../../core/operations/person.ts';

/**
 * Every place that may hold something about a person. A store that keeps ids, names or words of people belongs here. The
 * intakes come first: what they seal is only found through their own lists.
 */
export function personHolders(
	redis: RedisConnection,
	{ intake, environment }: { intake: IntakeSettings; environment: Pick<Environment, 'intakeKeys'> },
): PersonHolder[] {
	const keys = environment.intakeKeys;
	// Without keys nothing sealed can be read, but everything can be deleted.
	const settings = keys.length === 0 ? { ...intake, ephemeral: true } : intake;
	const stores = createIntakeStores(redis, { keys, settings: () => settings, wakeAt });
	return [createIntakeHolder(redis, stores), ...createRedisHolders(redis)];
}
