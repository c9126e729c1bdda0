import { createFleetRoutes } from './adapters/http/fleet/fleet-routes.ts';
import { createMeteredModel } from './adapters/observe/metered-model.ts';
import type { RedisConnection } from './adapters/redis/connection.ts';
import { createFleetStores } from './adapters/redis/fleet/fleet-stores.ts';
import type { Environment } from './config/env.ts';
import { conciergeModel } from './config/fleet-model.ts';
import type { Settings } from './config/schema.ts';
import type { SessionControl } from './core/fleet/session-control.ts';
import type { Model } from './core/model/model-port.ts';
import type { Clock, Log, Metrics, Random } from './core/ports.ts';
import { createFleetDesks } from './jobs/fleet/fleet-desks.ts';
import type { FleetWork } from './jobs/fleet/start-fleet.ts';
import type { Queues } from './jobs/queues.ts';

export interface FleetComposition {
	settings(): Settings;
	environment: Environment;
	redis: RedisConnection;
	queues: Queues;
	createModel(settings: Pick<Settings, 'model' | 'overseer'>, environment: Environment): Model;
	clock: Clock;
	random: Random;
	log: Log;
	metrics: Metrics;
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
	const desks = createFleetDesks({ ...deps, ...stores, settings });
	const routes = createFleetRoutes({
		reports: desks.reports,
		inbox: desks.inboxDesk,
		settings,
		tokens: environment.fleetTokens,
		clock,
		log,
		metrics,
	});

	return {
		/** What a surface needs. */
		surface: { ...stores, ...desks, price: () => conciergeModel(settings().concierge, deps.settings().model) },
		routes: [routes],
		/** What a worker needs; `controls` are the ways into sessions that run on this machine. */
		work(controls: readonly SessionControl[] = []): FleetWork {
			const { model, price } = modelOf(deps);
			return {
				...stores,
				desks,
				settings,
				model,
				price,
				controls,
				name: () => deps.settings().overseer.name,
				clock,
				random,
				log,
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
	);
	return { model: createMeteredModel(model, deps.metrics), price };
}
