import type { IntakeSettings } from '../../../config/intake.ts';
import type { IntakeSession } from '../../../core/intake/session.ts';
import type { RedisConnection } from '../connection.ts';
import { createStored } from '../stored.ts';
import { createInboxStore } from './inbox-store.ts';
import { createIntakeAudit } from './intake-audit.ts';
import { createIntakeStore } from './intake-store.ts';
import { createNonces } from './nonces.ts';
import { createSealer, type IntakeKey } from './sealer.ts';
import { createSurfaceOutbox } from './surface-outbox.ts';

export interface IntakeStoresSettings {
	readonly keys: readonly IntakeKey[];
	settings(): IntakeSettings;
	wakeAt(session: IntakeSession, settings: IntakeSettings): number | undefined;
}

/**
 * Every store of the intakes on one connection, sealed with one set of keys.
 * @throws {NoIntakeKey} without keys, unless the settings say ephemeral.
 */
export function createIntakeStores(redis: RedisConnection, options: IntakeStoresSettings) {
	const { settings } = options;
	const stored = createStored(redis);
	const sealer = createSealer(options.keys, settings().ephemeral);
	const wakeAt = (session: IntakeSession) => options.wakeAt(session, settings());
	const work = createIntakeStore({ redis, stored, sealer, settings, wakeAt });
	return {
		work,
		audit: createIntakeAudit({ redis, stored, sealer, retainMs: () => settings().retention.auditMs }),
		surface: createSurfaceOutbox({ redis, stored, sealer, store: work }),
		inbox: createInboxStore({ redis, stored, sealer }),
		nonces: createNonces(redis),
	};
}

export type IntakeStores = ReturnType<typeof createIntakeStores>;
