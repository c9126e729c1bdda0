import { join } from 'node:path';
import { readPolicyFolder } from './adapters/governance/policy-folder.ts';
import { createPrologGovernance, type PrologGovernance } from './adapters/governance/prolog.ts';
import { createCxp } from './adapters/http/cxp/cxp.ts';
import { createOutsideSinks } from './adapters/inbox/sinks.ts';
import type { RedisConnection } from './adapters/redis/connection.ts';
import { createIntakeStores } from './adapters/redis/intake/intake-stores.ts';
import type { Environment } from './config/env.ts';
import type { Settings } from './config/schema.ts';
import { wakeAt } from './core/intake/wake.ts';
import type { Clock, Log, Metrics, Random } from './core/ports.ts';
import type { Tracer } from './core/tracer.ts';
import { createIntakeDesk } from './jobs/intake/desk.ts';
import type { IntakeParts } from './jobs/intake/start-intake.ts';
import type { Queues } from './jobs/queues.ts';

export interface IntakeComposition {
	settings(): Settings;
	environment: Environment;
	redis: RedisConnection;
	queues: Queues;
	/** Folder that the program lies in. */
	root: string;
	clock: Clock;
	random: Random;
	log: Log;
	metrics: Metrics;
	tracer: Tracer;
}

/**
 * The parts of the intake that every process has; undefined when intakes are switched off.
 * @throws {NoIntakeKey} without a key, unless the settings say ephemeral.
 */
export function composeIntake(deps: IntakeComposition) {
	const { environment, redis, log, clock } = deps;
	const settings = () => deps.settings().intake;
	if (!settings().enabled) return undefined;
	const stores = createIntakeStores(redis, { keys: environment.intakeKeys, settings, wakeAt });
	const desk = createIntakeDesk({ ...deps, work: stores.work, settings });
	const cxp = settings().cxp.enabled
		? createCxp({
				...deps,
				...stores,
				desk,
				store: stores.work,
				onMove: stores.work.onMove,
				settings,
				callers: environment.cxpCallers,
				packetKeys: environment.packetKeys,
			})
		: undefined;
	let governance: PrologGovernance | undefined;

	return {
		/** What a surface needs. */
		surface: { ...stores, desk, store: stores.work },
		routes: cxp ? [cxp] : [],
		/** What a worker needs. @throws {PolicyError} when a rule file cannot be used. */
		async work(): Promise<IntakeParts> {
			const folders = [join(deps.root, 'config/governance'), settings().governanceDir];
			governance = createPrologGovernance({
				policyFiles: folders.flatMap((folder) => (folder === undefined ? [] : readPolicyFolder(folder))),
				log,
				now: clock.now,
			});
			await governance.start();
			const sinks = createOutsideSinks({
				settings: settings().inbox,
				packetKeys: environment.packetKeys,
				now: clock.now,
			});
			return { ...stores, governance, sinks };
		},
		/** Ends waiting requests. Before the workers stop. */
		async closeEdges(): Promise<void> {
			await Promise.all([cxp?.close(), desk.close()]);
		},
		/** After the workers stopped. */
		close: async () => governance?.close(),
	};
}
