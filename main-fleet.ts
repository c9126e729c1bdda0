import { join, resolve } from 'node:path';
import { hostName } from './adapters/fleet/pi/host-name.ts';
import { createPiControl } from './adapters/fleet/pi/pi-control.ts';
import { createFleetRoutes } from './adapters/http/fleet/fleet-routes.ts';
import { createMeteredModel } from './adapters/observe/metered-model.ts';
import { createTracedModel } from './adapters/observe/traced-model.ts';
import type { RedisConnection } from './adapters/redis/connection.ts';
import { createFleetStores } from './adapters/redis/fleet/fleet-stores.ts';
import { createStored } from './adapters/redis/stored.ts';
import { createSiteStore } from './adapters/redis/stores/site.ts';
import type { Environment } from './config/env.ts';
import { conciergeModel } from './config/fleet-model.ts';
import type { Settings } from './config/schema.ts';
import type { Model } from './core/model/model-port.ts';
import type { Clock, Log, Metrics, Random } from './core/ports.ts';
import type { Tracer } from './core/tracer.ts';
import { createFleetDesks } from './jobs/fleet/fleet-desks.ts';
import type { HostWork } from './jobs/fleet/session-host.ts';
import type { FleetWork } from './jobs/fleet/start-fleet.ts';
import type { Queues } from './jobs/queues.ts';

export interface FleetComposition {
	settings(): Settings;
	environment: Environment;
	redis: RedisConnection;
	queues: Queues;
	createModel(
		settings: Pick<Settings, 'model' | 'overseer'>,
		environment: Environment,
		thinking: Settings['fleet']['concierge']['thinking'],
		prices: () => Settings['model']['prices'],
	): Model;
	clock: Clock;
	random: Random;
	log: Log;
	metrics: Metrics;
	tracer: Tracer;
}

/** The parts of the fleet that every process has; undefined without a fleet channel. */
export function composeFleet(deps: FleetComposition) {
	const { environment, redis, clock, random, log, metrics } = deps;
	const settings = () => deps.settings().fleet;
	if (settings().channelId === undefined) return undefined;
	const stores = createFleetStores(redis, {
		feed: () => settings().feed,
		maxInbox: () => settings().ingest.maxInbox,
	});
	const site = createSiteStore(redis, createStored(redis));
	const desks = createFleetDesks({
		...deps,
		...stores,
		settings,
		isPaused: async () => (await site.read()).paused,
	});
	const routes = createFleetRoutes({
		reports: desks.reports,
		inbox: desks.inboxDesk,
		settings,
		tokens: environment.fleetTokens,
		clock,
		log,
		metrics,
	});

	/** Sessions that this process runs as its own children. */
	function hostWork(): HostWork {
		const folder = join(environment.dataDir, 'pi');
		const host = hostName(folder);
		return {
			host,
			directories: () => settings().pi.directories,
			open: () =>
				createPiControl({
					settings: settings().pi,
					host,
					sessionsDir: resolve(folder, 'sessions'),
					env: process.env,
					sink: async (origin, reports) => void (await desks.reports.take(origin, reports)),
					clock,
					random,
					log,
				}),
		};
	}

	return {
		/** What a surface needs. */
		surface: { ...stores, ...desks, price: () => conciergeModel(settings().concierge, deps.settings().model) },
		routes: [routes],
		/** What a worker needs. Throws when sessions may be started here and their folder cannot be written. */
		work(): FleetWork {
			const { model, price } = modelOf(deps);
			return {
				...stores,
				desks,
				settings,
				model,
				price,
				controls: [],
				...(settings().pi.directories.length === 0 ? {} : { host: hostWork() }),
				name: () => deps.settings().overseer.name,
				language: () => deps.settings().language,
				clock,
				random,
				log,
				tracer: deps.tracer,
			};
		},
		/** Ends waiting requests. Before the workers stop. */
		closeEdges: () => routes.close(),
	};
}

/** The concierge's model. Without one a stand-in is given that nobody asks, as code then answers. */
function modelOf(deps: FleetComposition) {
	const all = deps.settings();
	const { concierge } = all.fleet;
	const price = conciergeModel(concierge, all.model);
	const [, provider = all.model.provider, name = all.model.name] =
		/^(ollama|anthropic)\/(.+)$/.exec(price.id ?? '') ?? [];
	const model = deps.createModel(
		{
			model: {
				...all.model,
				provider: provider === 'anthropic' ? 'anthropic' : 'ollama',
				name,
				ollama: { ...all.model.ollama, think: concierge.thinking === 'off' ? false : concierge.thinking },
			},
			// A cut answer may be asked for once more at twice the length.
			overseer: {
				...all.overseer,
				decision: { ...all.overseer.decision, maxOutputTokens: 2 * concierge.maxOutputTokens },
			},
		},
		deps.environment,
		concierge.thinking,
		() => deps.settings().model.prices,
	);
	return { model: createMeteredModel(createTracedModel(model, deps.tracer), deps.metrics), price };
}
