import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { createCommandRegistry } from './commands/command-registry.ts';
import { rememberBaseline } from './control/baseline.ts';
import { type Control, createControl } from './control/control.ts';
import { createControlRoutes } from './control/control-routes.ts';
import type { ControlServices } from './control/operation.ts';
import { createFileRoutes } from './file-routes.ts';
import { createGateway } from './gateway/gateway.ts';
import { createInteractionStore } from './interactions/interaction-store.ts';
import type { BotSeed, GuildLayout } from './layout.ts';
import { createRateLimits, type RateLimitMode } from './rest/rate-limits.ts';
import { createRequestLog } from './rest/request-log.ts';
import { createRestApp } from './rest/rest-app.ts';
import { createRestFaults } from './rest/rest-faults.ts';
import { createWorld } from './state/world.ts';
import { archiveQuietThreads } from './threads/thread-state.ts';

export interface LoopbackDiscordOptions {
	/** 0 (default) takes any free port. Always on 127.0.0.1. */
	port?: number;
	/** Epoch milliseconds; the system's clock by default. `control.clock` adds to it. */
	now?: () => number;
	guild?: GuildLayout;
	/** Bot applications; one called Majordomo by default. */
	bots?: BotSeed[];
	/** Token and application id of the first bot, when they must be known beforehand. */
	token?: string;
	applicationId?: string;
	rateLimits?: RateLimitMode;
	/** 41 250 by default, as at Discord. */
	heartbeatIntervalMs?: number;
	/** Pages shown beside the chat, as tabs. */
	sidePanels?: SidePanel[];
}

export interface SidePanel {
	title: string;
	url: string;
}

export interface LoopbackDiscord {
	/** Address of the page and of the control API. */
	url: string;
	/** For discord.js: `new Client({ rest: { api: restUrl, version: '10' } })`. */
	restUrl: string;
	token: string;
	applicationId: string;
	guildId: string;
	/** Name → id. */
	channels: Record<string, string>;
	people: Record<string, string>;
	roles: Record<string, string>;
	bots: Record<string, { token: string; applicationId: string }>;
	/** The same operations as `POST /control/<name>`. */
	control: Control;
	close(): Promise<void>;
}

const idsByName = (all: Iterable<{ id: string; name: string }>): Record<string, string> =>
	Object.fromEntries([...all].map((one) => [one.name, one.id]));

export async function createLoopbackDiscord(options: LoopbackDiscordOptions = {}): Promise<LoopbackDiscord> {
	const [firstBot, ...otherBots] = options.bots ?? [{ name: 'Majordomo' }];
	if (firstBot === undefined) throw new RangeError('bots must name at least one bot');
	const first = { ...firstBot };
	if (options.token !== undefined) first.token = options.token;
	if (options.applicationId !== undefined) first.applicationId = options.applicationId;
	const world = createWorld({ now: options.now ?? Date.now, guild: options.guild, bots: [first, ...otherBots] });

	const app = new Hono<{ Bindings: HttpBindings }>();
	const server = createAdaptorServer({ fetch: app.fetch }) as Server;
	const gateway = createGateway(world, server, { heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250 });
	const services: ControlServices = {
		world,
		commands: createCommandRegistry(world),
		interactions: createInteractionStore(world),
		gateway,
		rateLimits: createRateLimits(world.now, options.rateLimits ?? 'relaxed'),
		requests: createRequestLog(),
		faults: createRestFaults(),
		restore: rememberBaseline(world),
		sidePanels: options.sidePanels ?? [],
	};
	const rest = createRestApp(services);
	app.route('/api/:version{v\\d+}', rest);
	app.route('/api', rest);
	app.route('/control', createControlRoutes(services));
	app.route('/', createFileRoutes(world));

	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(options.port ?? 0, '127.0.0.1', resolve);
	});
	world.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const archiver = setInterval(() => archiveQuietThreads(world), 5000);
	archiver.unref();

	const [application] = world.applications.values();
	return {
		url: world.origin,
		restUrl: `${world.origin}/api`,
		token: application!.token,
		applicationId: application!.id,
		guildId: world.guildId,
		channels: idsByName(world.channels.values()),
		people: idsByName([...world.accounts.values()].filter((one) => !one.isBot)),
		roles: idsByName(world.roles.values()),
		bots: Object.fromEntries(
			[...world.applications.values()].map((one) => [one.name, { token: one.token, applicationId: one.id }]),
		),
		control: createControl(services),
		close: async () => {
			clearInterval(archiver);
			gateway.shutdown();
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
