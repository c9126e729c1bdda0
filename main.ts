import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createCharts } from './adapters/chart/charts.ts';
import { createHomeAssistant } from './adapters/home/home-assistant.ts';
import { createHttpServer, type HttpServer } from './adapters/http/server.ts';
import { createSystemClock } from './adapters/observe/clock.ts';
import { collectFleet } from './adapters/observe/collect-fleet.ts';
import { collectIntake } from './adapters/observe/collect-intake.ts';
import { collectHome, collectQueues, collectRedis, collectSite } from './adapters/observe/collectors.ts';
import { createTracing } from './adapters/observe/create-tracing.ts';
import { createLog } from './adapters/observe/log.ts';
import { createMeteredHome } from './adapters/observe/metered-home.ts';
import { createMeteredModel } from './adapters/observe/metered-model.ts';
import { createMetrics } from './adapters/observe/metrics.ts';
import { createSystemRandom } from './adapters/observe/random.ts';
import { createTracedHome } from './adapters/observe/traced-home.ts';
import { createTracedModel } from './adapters/observe/traced-model.ts';
import type { Tracing } from './adapters/observe/tracing.ts';
import { createUsageMetrics } from './adapters/observe/usage-metrics.ts';
import { createRedis } from './adapters/redis/connection.ts';
import { migrate } from './adapters/redis/migrations/migrate.ts';
import { checkPolicy } from './adapters/redis/policy.ts';
import { type FoundRedis, findRedis } from './adapters/redis/server/find-redis.ts';
import { createStores } from './adapters/redis/stores.ts';
import { type Bot, createBot } from './bot/bot.ts';
import { createCardMemory } from './bot/intake/card-memory.ts';
import { type Environment, environmentSecrets } from './config/env.ts';
import { loadConfig } from './config/load.ts';
import { roomEntityIds } from './config/rooms.ts';
import type { Settings } from './config/schema.ts';
import { createSettingsSource, type ReloadResult } from './config/settings-source.ts';
import type { Home } from './core/home/home-port.ts';
import { activePeople } from './core/overseer/people.ts';
import { overseerStatus } from './core/overseer/status.ts';
import type { Log } from './core/ports.ts';
import { PROMPT_NOTE } from './jobs/overseer/ask-model.ts';
import { createQueues } from './jobs/queues.ts';
import { type Jobs, startJobs } from './jobs/start-jobs.ts';
import { composeBoards } from './main-boards.ts';
import { endOnFailure, endOnSurprise } from './main-endings.ts';
import { composeFleet } from './main-fleet.ts';
import { composeIntake } from './main-intake.ts';
import { createModel } from './main-model.ts';
import { gatewayProbe, homeProbe, keepingProbe, modelProbe, queueProbe } from './main-probes.ts';
import { composeReload, readPrompts } from './main-reload.ts';

const ROOT = dirname(fileURLToPath(import.meta.url));
const START_DEADLINE_MS = 20_000;
/** From the signal to the end; orchestrators usually kill after thirty seconds. */
const STOP_DEADLINE_MS = 20_000;
/** A second signal sooner than this is the first one again. */
const IMPATIENT_AFTER_MS = 1_000;

export interface HouseholdOptions {
	/** Current settings, asked anew wherever a reload may change them. */
	settings(): Settings;
	/** Reads them again; absent where they come from no file. */
	readSettings?: () => ReloadResult;
	environment: Environment;
	redis: FoundRedis;
	log: Log;
	/** Follows what happens from cause to effect; one that only gives ids when absent. The caller ends it. */
	tracing?: Tracing;
	/** Pages that may show ours in a frame: the rehearsal house only. */
	frameAncestors?: readonly string[];
}

/** A running household, or the part of it that this process's role holds. */
export interface Household {
	readonly httpUrl: string;
	/** Reads settings and prompts again; bad ones change nothing and the log says why. */
	reload(): void;
	/** Stops taking events, finishes or releases what runs, closes everything. Within twenty seconds. */
	stop(): Promise<void>;
}

/** Composes every part; the only place that knows them all. Rejects when Discord, Redis or a setting is unusable. */
export async function startHousehold(options: HouseholdOptions): Promise<Household> {
	const { environment, log } = options;
	const { settings } = options;
	const { role } = environment;
	const clock = createSystemClock();
	const random = createSystemRandom();
	const registry = createMetrics({ onMisuse: (problem) => log.warn({ problem }, 'a measurement was dropped') });
	const tracer = options.tracing ?? (await createTracing({ version: version(), role }));
	const isKept = options.redis.kind !== 'ephemeral';
	let texts = readPrompts(settings(), ROOT);

	const redis = createRedis({
		where: options.redis.where,
		prefix: settings().redis.prefix,
		commandTimeoutMs: settings().redis.commandTimeoutMs,
		log,
		now: clock.now,
		name: `majordomo-${role}`,
	});
	try {
		await redis.ready(START_DEADLINE_MS);
		const policy = await checkPolicy(redis, { allowEviction: settings().redis.allowEviction });
		for (const { message, fix, code } of policy.findings) log.warn({ code, fix }, message);
		registry.gauge('redis_eviction_allowed', policy.eviction === 'noeviction' ? 0 : 1);
		await migrate(redis);
	} catch (error) {
		await redis.close();
		throw error;
	}
	const stores = createStores(redis, { statusSchema: overseerStatus, audit: settings().overseer.audit });
	const usage = createUsageMetrics({
		metrics: registry,
		store: stores.usage,
		timeZone: () => settings().fleet.timeZone,
		clock,
		log,
	});
	const { metrics } = usage;
	const reload = composeReload({
		read: options.readSettings,
		readPrompts: () => {
			texts = readPrompts(settings(), ROOT);
		},
		redis,
		role,
		newId: random.id,
		log,
	});
	const queues = createQueues({
		connection: redis.handlers,
		prefix: redis.prefix,
		log,
		telemetry: tracer.queueTelemetry,
	});
	metrics.onRender(collectQueues(metrics, queues.all));
	metrics.onRender(collectRedis(metrics, () => redis.ask((client) => client.info('memory'))));
	metrics.onRender(collectSite(metrics, stores.site));
	redis.onReady(() => metrics.count('redis_connections_total'));
	const intake = composeIntake({
		settings,
		environment,
		redis,
		queues,
		root: ROOT,
		clock,
		random,
		log,
		metrics,
		tracer,
	});

	const fleet = composeFleet({
		settings,
		environment,
		redis,
		queues,
		createModel,
		clock,
		random,
		log,
		metrics,
		tracer,
	});
	if (intake) metrics.onRender(collectIntake(metrics, intake.surface));
	if (fleet) metrics.onRender(collectFleet(metrics, { ...fleet.surface, settings: () => settings().fleet, clock }));

	const model = createMeteredModel(
		createTracedModel(
			createModel(settings(), environment, 'off', () => settings().model.prices),
			tracer,
		),
		metrics,
	);
	let home: Home | undefined;
	let jobs: Jobs | undefined;
	if (role !== 'bot') {
		const entityIds = settings().rooms.flatMap(roomEntityIds);
		const bare = createHomeAssistant({
			url: settings().home.url,
			token: environment.homeAssistantToken ?? '',
			entityIds,
			log,
			now: clock.now,
		});
		home = createMeteredHome(createTracedHome(bare, tracer, log), metrics, clock);
		metrics.onRender(collectHome(metrics, home, entityIds));
		if (settings().rooms.some((room) => roomEntityIds(room).length > 0)) home.start();
		jobs = startJobs({
			...stores,
			...(intake ? { intake: await intake.work() } : {}),
			...(fleet ? { fleet: fleet.work() } : {}),
			settings,
			texts: () => texts,
			queues,
			handlers: redis.handlers,
			workers: redis.workers,
			prefix: redis.prefix,
			home,
			model,
			clock,
			random,
			log,
			metrics,
			tracer,
			queueTelemetry: tracer.queueTelemetry,
		});
	}

	let bot: Bot | undefined;
	if (role !== 'worker') {
		bot = createBot({
			token: environment.discordToken ?? '',
			settings,
			...stores,
			isKept,
			claims: stores.messageClaims,
			roomStore: stores.rooms,
			active: async (roomId) => {
				const { messages } = await stores.rooms.read(roomId, { messages: 200, events: 1 });
				return activePeople(messages, clock.now(), settings().overseer.gate.activeForMs).map(({ id }) => id);
			},
			world: async (roomId) => {
				const room = settings().rooms.find(({ id }) => id === roomId);
				return room && jobs ? jobs.scenes.world(room) : stores.worlds.read(roomId);
			},
			...(options.readSettings === undefined ? {} : { reload: reload.house }),
			usage: { store: stores.usage, charts: createCharts(), timeZone: () => settings().fleet.timeZone },
			lastPrompt: async (roomId) => {
				const decisionId = (await stores.status.read(roomId))?.decision?.id;
				const messages = decisionId && (await stores.journal.note(decisionId, PROMPT_NOTE));
				return messages ? JSON.stringify(messages, null, '\t') : undefined;
			},
			deployMemory: {
				get: (scope) => stores.keepsakes.get(`deploy:${scope}`),
				set: (scope, hash) => stores.keepsakes.set(`deploy:${scope}`, hash),
			},
			panelMemory: {
				async get(roomId) {
					const text = await stores.keepsakes.get(`panel:${roomId}`);
					return text === undefined ? undefined : JSON.parse(text);
				},
				set: (roomId, place) => stores.keepsakes.set(`panel:${roomId}`, JSON.stringify(place)),
			},
			...(intake ? { intake: { ...intake.surface, cards: createCardMemory(stores.keepsakes) } } : {}),
			...(fleet ? { fleet: fleet.surface } : {}),
			clock,
			random,
			log,
			metrics,
			tracer,
		});
	}

	let http: HttpServer | undefined;
	const stop = async (): Promise<void> => {
		await Promise.all([bot?.stop(), reload.stop()]);
		await Promise.all([intake?.closeEdges(), fleet?.closeEdges()]);
		await jobs?.stop(STOP_DEADLINE_MS - 5_000);
		await intake?.close();
		await http?.close();
		await home?.stop();
		await queues.close();
		await usage.stop();
		await redis.close();
		metrics.stop();
	};
	const serving = createHttpServer({
		settings: settings().http,
		secrets: environment,
		probes: [
			{
				name: 'redis',
				required: true,
				async check() {
					await redis.ask((client) => client.ping());
					return { ok: true, detail: options.redis.how };
				},
			},
			...(isKept ? [] : [keepingProbe()]),
			...(bot ? [gatewayProbe(bot)] : []),
			...(home ? [homeProbe(home)] : []),
			modelProbe(model, settings().model.checkDeadlineMs),
			...(jobs ? [queueProbe(jobs)] : []),
		],
		metrics,
		queues: [...queues.all],
		panel: {
			rooms: () => settings().rooms.map(({ id, title }) => ({ id, title })),
			read: (roomId) => stores.status.read(roomId),
			onWrite: stores.status.onWrite,
		},
		boards: composeBoards({ settings, stores, fleet, intake, clock }),
		...(options.frameAncestors ? { frameAncestors: options.frameAncestors } : {}),
		rovers: { rooms: () => settings().rooms, reports: stores.rovers },
		routes: [...(intake?.routes ?? []), ...(fleet?.routes ?? [])],
		log,
		clock,
		about: { name: () => settings().overseer.name, version: version(), role },
	});
	try {
		http = await serving;
		await bot?.start();
	} catch (error) {
		// What is half built would hold on to Redis, and keep a private one alive.
		await stop().catch((again: unknown) => log.warn({ error: again }, 'what had begun did not end well'));
		throw error;
	}
	log.info({ role, http: http.url, model: model.id, redis: options.redis.how }, 'the household is up');

	return {
		httpUrl: http.url,
		reload: () => void reload.own(),
		stop,
	};
}

function version(): string {
	const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');
	return String((JSON.parse(manifest) as { version: string }).version);
}

/** The command line: configuration, Redis, signals. */
async function main(): Promise<void> {
	const loaded = loadConfig();
	const { environment } = loaded;
	const tracing = await createTracing({
		endpoint: environment.traceEndpoint,
		headers: environment.traceHeaders,
		version: version(),
		role: environment.role,
		onProblem: (problem) => log.warn({ problem }, 'traces are being lost'),
	});
	const log = createLog({
		level: environment.logLevel,
		format: environment.logFormat,
		secrets: environmentSecrets(environment),
		context: tracing.marks,
	});
	endOnSurprise(log);
	const source = createSettingsSource({ path: loaded.path, initial: loaded.settings, log });
	const redis = await findRedis({
		dataDir: environment.dataDir,
		env: process.env,
		allowEphemeral: false,
		report: (step) => log.info({}, step),
	});
	log.info({ redis: redis.how }, 'Redis');
	const house = startHousehold({
		settings: source.current,
		readSettings: source.reload,
		environment,
		redis,
		log,
		tracing,
	});
	const household = await house.catch(async (error: unknown) => {
		await redis.stop();
		throw error;
	});
	log.info({ pid: process.pid }, 'SIGHUP to this process reads settings and prompts again');

	process.on('SIGHUP', household.reload);
	let stoppingSince: number | undefined;
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		process.on(signal, () => {
			// One Ctrl-C may arrive twice, from the terminal and from npm or tsx; only a later one is impatience.
			if (stoppingSince !== undefined) {
				if (performance.now() - stoppingSince > IMPATIENT_AFTER_MS) process.exit(1);
				return;
			}
			stoppingSince = performance.now();
			log.info({ signal }, 'stopping');
			setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
			household
				.stop()
				.then(() => Promise.all([redis.stop(), tracing.stop()]))
				.then(
					() => process.exit(0),
					(error: Error) => {
						log.error({ error }, 'stopped with an error');
						process.exit(1);
					},
				);
		});
	}
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
	main().catch(endOnFailure);
}
