import { randomUUID } from 'node:crypto';
import { createFleetRoutes } from '../../adapters/http/fleet/fleet-routes.ts';
import { createHttpServer, type HttpServer } from '../../adapters/http/server.ts';
import { createMetrics } from '../../adapters/observe/metrics.ts';
import type { RedisConnection } from '../../adapters/redis/connection.ts';
import { createFleetStores, type FleetStores } from '../../adapters/redis/fleet/fleet-stores.ts';
import { createStored } from '../../adapters/redis/stored.ts';
import { createDecisionJournal } from '../../adapters/redis/stores/journal.ts';
import { type FleetSettings, fleetSettings } from '../../config/fleet.ts';
import { settingsSchema } from '../../config/schema.ts';
import type { ConciergeModel } from '../../core/fleet/budget.ts';
import type { InboxItem } from '../../core/fleet/inbox-item.ts';
import type { OutboxItem } from '../../core/fleet/outbox.ts';
import type { SessionControl } from '../../core/fleet/session-control.ts';
import type { Model } from '../../core/model/model-port.ts';
import { createFleetDesks, type FleetDesks } from '../../jobs/fleet/fleet-desks.ts';
import { FLEET_POLICIES } from '../../jobs/fleet/fleet-policies.ts';
import type { HostWork } from '../../jobs/fleet/session-host.ts';
import { startFleet } from '../../jobs/fleet/start-fleet.ts';
import type { KillSwitch } from '../../jobs/kill-switch.ts';
import { createQueues } from '../../jobs/queues.ts';
import { createBenchWorkers } from './bench-workers.ts';
import { testTracer } from './fakes/test-tracer.ts';
import { promptTexts } from './intake.ts';
import type { TestRedis } from './redis.ts';
import { testLog } from './redis.ts';

export const LAPTOP = 'laptop-token-0123456789';
export const SERVER = 'server-token-0123456789';
/** Somebody on Discord. */
export const RIA = { who: 'Ria', whoId: '100000000000000001' };

const NEVER_PAUSED = { isPaused: async () => false, onPause: () => () => undefined };
const silentMetrics = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
const realClock = { now: Date.now };
const random = { next: Math.random, id: () => randomUUID() };

/** A fast clock: what takes minutes in a house takes moments here. */
export const fastFleet = (change: { concierge?: object } & Record<string, unknown> = {}): FleetSettings => {
	const settings = fleetSettings.parse({ channelId: '300000000000000001', ownerUserIds: [RIA.whoId] });
	const { concierge, ...rest } = change;
	return {
		...settings,
		...rest,
		concierge: {
			...settings.concierge,
			coalesceMs: 150,
			tickMs: 1_000,
			retryMs: 300,
			turnDeadlineMs: 20_000,
			...concierge,
		},
	};
};

/** A session as its reporter tells of it. */
export function reporter(nativeId: string, name = nativeId) {
	let n = 0;
	return {
		/** The next report. */
		say(kind: string, data: object = {}) {
			n += 1;
			return { eventId: `${nativeId}-${n}`, n, at: Date.now(), session: { nativeId, name }, kind, data };
		},
	};
}

export const SCHEMA_QUESTION = {
	question: {
		ref: 'ask-1',
		kind: 'choice',
		text: 'Which schema should I use?',
		choices: [{ label: 'v1 (keep)' }, { label: 'v2 (migrate)', value: 'v2' }],
	},
};

export interface Kept {
	readonly kept: string[];
	readonly known: string[];
	readonly refused: { index: number; eventId?: string; problems: string[] }[];
	readonly sessions: { sessionId: string; nativeId: string; name: string; lastReport: number }[];
}

export interface FleetBench {
	readonly redis: RedisConnection;
	readonly stores: FleetStores;
	readonly desks: FleetDesks;
	readonly http: HttpServer;
	readonly settings: FleetSettings;
	/** What people were shown so far. */
	readonly shown: OutboxItem[];
	post(path: string, body: unknown, token?: string): Promise<Response>;
	get(path: string, token?: string): Promise<Response>;
	/** Posts reports of `script` sessions and expects them to be kept. */
	report(events: readonly object[], token?: string): Promise<Kept>;
	/** What waits for a session, as its host fetches it. */
	inbox(sessionId: string, query?: string): Promise<InboxItem[]>;
	/** Starts the workers. */
	work(more?: {
		model?: Model;
		price?: ConciergeModel;
		controls?: readonly SessionControl[];
		host?: HostWork | undefined;
		killSwitch?: Pick<KillSwitch, 'isPaused' | 'onPause'>;
	}): { stop(): Promise<void> };
	close(): Promise<void>;
}

const LOCAL: ConciergeModel = { id: 'ollama/scripted', isLocal: true, price: undefined };
const NO_MODEL: ConciergeModel = { id: undefined, isLocal: true, price: undefined };

/** A model whose every call is a mistake of the test. */
const nobody: Model = {
	id: 'test/nobody',
	limits: { contextTokens: 1_000, outputTokens: 100 },
	check: async () => ({ ok: true, detail: '' }),
	complete: () => Promise.reject(new Error('the model was asked')),
};

/** The whole fleet in this process, on a real Redis, behind a real server. */
export async function openFleet(
	server: Pick<TestRedis, 'connect'>,
	options: {
		settings?: FleetSettings;
		log?: ReturnType<typeof testLog>;
		isShowing?: boolean;
		/** The time as the fleet sees it. */
		clock?: { now(): number };
	} = {},
): Promise<FleetBench> {
	const clock = options.clock ?? realClock;
	const log = options.log ?? testLog();
	const redis = await server.connect({ log });
	const settings = options.settings ?? fastFleet();
	const stores = createFleetStores(redis, { feed: () => settings.feed, maxInbox: () => settings.ingest.maxInbox });
	const queues = createQueues({ connection: redis.handlers, prefix: redis.prefix, log });
	const tracer = testTracer();
	const desks = createFleetDesks({
		...stores,
		settings: () => settings,
		queues,
		isPaused: async () => false,
		clock,
		random,
		tracer,
		log,
	});
	const routes = createFleetRoutes({
		reports: desks.reports,
		inbox: desks.inboxDesk,
		settings: () => settings,
		tokens: { laptop: LAPTOP, server: SERVER },
		clock,
		log,
		metrics: silentMetrics,
	});
	const http = await createHttpServer({
		settings: { ...settingsSchema.parse({}).http, port: 0 },
		secrets: {},
		probes: [],
		metrics: createMetrics({ processMetrics: false }),
		routes: [routes],
		log,
		clock,
		rate: { burst: 10_000, perSecond: 10_000 },
		about: { name: () => 'Majordomo', version: '1.0.0', role: 'all' },
	});
	const shown: OutboxItem[] = [];
	const stopShowing =
		options.isShowing === false
			? async () => undefined
			: stores.outbox.consume(async (item) => {
					shown.push(item);
					return 'shown';
				});
	const running: { stop(): Promise<void> }[] = [];
	const call = (method: string, path: string, token: string, body?: unknown) =>
		fetch(`${http.url}${path}`, {
			method,
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});

	return {
		redis,
		stores,
		desks,
		http,
		settings,
		shown,
		post: (path, body, token = LAPTOP) => call('POST', path, token, body),
		get: (path, token = LAPTOP) => call('GET', path, token),
		async report(events, token = LAPTOP) {
			const response = await call('POST', '/fleet/events', token, { source: 'script', events });
			if (response.status !== 200) throw new Error(`not kept: ${await response.text()}`);
			return (await response.json()) as Kept;
		},
		async inbox(sessionId, query = '') {
			const response = await call('GET', `/fleet/sessions/${sessionId}/inbox${query}`, LAPTOP);
			return ((await response.json()) as { items: InboxItem[] }).items;
		},
		work({
			model = nobody,
			price = model === nobody ? NO_MODEL : LOCAL,
			controls = [],
			host,
			killSwitch = NEVER_PAUSED,
		} = {}) {
			const workers = createBenchWorkers({
				redis,
				policies: FLEET_POLICIES,
				clock,
				log,
				metrics: silentMetrics,
				tracer,
			});
			const { leases, lives, serve } = workers;
			const fleet = startFleet({
				...stores,
				desks,
				settings: () => settings,
				model,
				price,
				controls,
				...(host === undefined ? {} : { host, hostBeatMs: 200 }),
				name: () => 'Majordomo',
				queues,
				texts: promptTexts,
				journal: createDecisionJournal(redis, createStored(redis)),
				leases,
				lives,
				killSwitch,
				clock,
				random,
				log,
				metrics: silentMetrics,
				tracer,
				upkeepEveryMs: 300,
				serve,
			});
			const one = { stop: () => workers.stop(fleet) };
			running.push(one);
			return one;
		},
		async close() {
			await routes.close();
			await Promise.all(running.map((one) => one.stop()));
			await stopShowing();
			await http.close();
			await queues.close();
			await redis.close();
		},
	};
}
