import type { z } from 'zod';
import { commentaryStatus } from '../../core/overseer/commentary-status.ts';
import type { RedisConnection } from './connection.ts';
import { worldViewSchema } from './schema/world-view.ts';
import { createStored } from './stored.ts';
import { type AuditLimits, createAudit } from './stores/audit.ts';
import { createBus } from './stores/bus.ts';
import { createCallLimits } from './stores/call-limits.ts';
import { createClaims } from './stores/claims.ts';
import { createDecisionJournal } from './stores/journal.ts';
import { createKeepsakes } from './stores/keepsakes.ts';
import { createLeases } from './stores/leases.ts';
import { createLedger } from './stores/ledger.ts';
import { createLiftCommands } from './stores/lift-commands.ts';
import { createMemoryStore } from './stores/memory.ts';
import { createMessageClaims } from './stores/message-claims.ts';
import { createNudges } from './stores/nudges.ts';
import { createOverrideStore } from './stores/overrides.ts';
import { createRoomStore } from './stores/room-store.ts';
import { createRoverReports } from './stores/rover-reports.ts';
import { createSiteStore } from './stores/site.ts';
import { createStatusStore } from './stores/status.ts';
import { createThrottle } from './stores/throttle.ts';
import { createUsageStore } from './stores/usage.ts';
import { createVoteStore } from './stores/votes.ts';

export interface StoreSettings<Status> {
	readonly statusSchema: z.ZodType<Status>;
	readonly audit: AuditLimits;
}

/** Every store of the house on one connection. */
export function createStores<Status>(redis: RedisConnection, settings: StoreSettings<Status>) {
	const stored = createStored(redis);
	const leases = createLeases(redis);
	const keepsakes = createKeepsakes(redis);
	return {
		leases,
		keepsakes,
		liftCommands: createLiftCommands(keepsakes),
		nudges: createNudges(redis),
		throttle: createThrottle(redis),
		bus: createBus(redis, stored, leases),
		rooms: createRoomStore(redis, stored),
		ledger: createLedger(redis, stored),
		claims: createClaims(redis, stored),
		audit: createAudit(redis, stored, settings.audit),
		memory: createMemoryStore(redis, stored),
		site: createSiteStore(redis, stored),
		overrides: createOverrideStore(redis, stored),
		votes: createVoteStore(redis, stored),
		journal: createDecisionJournal(redis, stored),
		status: createStatusStore(redis, stored, settings.statusSchema),
		worlds: createStatusStore(redis, stored, worldViewSchema, 'world'),
		commentary: createStatusStore(redis, stored, commentaryStatus, 'commentary'),
		rovers: createRoverReports(redis, stored),
		usage: createUsageStore(redis),
		limits: createCallLimits(redis),
		messageClaims: createMessageClaims(redis, stored),
	};
}

export type Stores<Status> = ReturnType<typeof createStores<Status>>;
