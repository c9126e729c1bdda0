import { type Client, Events } from 'discord.js';
import { commandsFor } from './commands/commands.ts';
import { commandData } from './commands/data.ts';
import { intakeCommandData } from './commands/intake-data.ts';
import { deployCommands } from './deploy.ts';
import type { BotDeps } from './deps.ts';
import { createEditPace } from './edit-pace.ts';
import { createFleet } from './fleet/fleet.ts';
import { createClient } from './gateway/client.ts';
import { type ConnectionState, createConnection } from './gateway/connection.ts';
import { gatherSelf } from './gather-self.ts';
import { createIntake } from './intake/intake.ts';
import { createInteractions } from './interactions/interactions.ts';
import { createNickname } from './nickname.ts';
import { createNotices } from './notices.ts';
import { createPanels } from './panel.ts';
import { createPresence, decidePresence } from './presence.ts';
import { createRelay } from './relay/relay.ts';
import { createRoomReader } from './room-reader.ts';
import { createRouter } from './router.ts';
import { checkSelf } from './self-check.ts';

export interface BotHealth {
	readonly state: ConnectionState;
	/** Epoch ms since when. */
	readonly since: number;
	readonly pingMs?: number;
	readonly reconnects: number;
	/** Why there is no session; `lines` explain it to a person. */
	readonly problem?: { readonly code: string; readonly lines: readonly string[] };
	/** What an operator should know, each with its repair. */
	readonly warnings: readonly string[];
}

export interface Bot {
	/**
	 * Logs in and begins to relay. Rejects with `BadToken` or `DisallowedIntents`; when Discord is merely out of reach it
	 * resolves and goes on trying.
	 */
	start(): Promise<void>;
	/** Takes no more events, finishes what is in hand, leaves the gateway. */
	stop(): Promise<void>;
	health(): BotHealth;
}

export interface BotTimings {
	readonly loginDeadlineMs: number;
	readonly retry: { readonly firstMs: number; readonly maxMs: number; readonly refusedMs: number };
	readonly upkeepMs: number;
}

const TIMINGS: BotTimings = {
	loginDeadlineMs: 45_000,
	retry: { firstMs: 1_000, maxMs: 60_000, refusedMs: 5 * 60_000 },
	upkeepMs: 15_000,
};

/** The Discord edge of the house, wired from its parts. */
export function createBot(deps: BotDeps, timings: BotTimings = TIMINGS): Bot {
	const { log, metrics, clock, settings } = deps;
	const session = () => connection.client();
	const adminChannelId = () =>
		settings().discord.adminChannelId ?? settings().rooms.find((room) => room.adminChannelId)?.adminChannelId;
	const notices = createNotices({ client: session, channelId: adminChannelId, clock, log });
	const reader = createRoomReader(deps);
	const edits = createEditPace();
	const common = { settings, clock, log, metrics, tracer: deps.tracer, onWarning: notices.warn, edits };
	const router = createRouter({
		...common,
		bus: deps.bus,
		claims: deps.claims,
		name: () => settings().overseer.name,
		isOthers: (message) => fleet?.isOurs(message) ?? false,
	});
	const relay = createRelay({ ...common, bus: deps.bus, client: session, undeliverable: deps.undeliverable });
	const intake =
		deps.intake &&
		createIntake({
			...common,
			ports: deps.intake,
			client: session,
			claims: deps.claims,
			noteContent: router.noteContent,
			random: deps.random,
		});
	const fleet =
		deps.fleet &&
		createFleet({
			...common,
			ports: deps.fleet,
			client: session,
			claims: deps.claims,
			noteContent: router.noteContent,
			random: deps.random,
			onStatus: () => presenceSafely(),
		});
	const interactions = createInteractions({
		...deps,
		commands: commandsFor(reader, [...(intake?.commands ?? []), ...(fleet?.commands ?? [])]),
		commandDeps: deps,
		areas: [...(intake === undefined ? [] : [intake.area]), ...(fleet?.areas ?? [])],
		onDone: () => panels.touchAll(),
	});
	const panels = createPanels({
		...common,
		client: session,
		memory: deps.panelMemory,
		render: reader.panel,
		minEditMs: () => settings().overseer.panel.minEditMs,
		rooms: () =>
			settings().rooms.flatMap((room) => {
				const channelId = room.adminChannelId ?? settings().discord.adminChannelId;
				return channelId === undefined ? [] : [{ roomId: room.id, channelId }];
			}),
	});
	const showPresence = createPresence();
	const nickname = createNickname({ log, onWarning: notices.warn });
	let removers: (() => Promise<void>)[] = [];
	let upkeepTimer: NodeJS.Timeout | undefined;

	const connection = createConnection({
		...timings,
		...{ token: deps.token, clock, random: deps.random, log, metrics },
		resumeTimeoutMs: settings().discord.resumeTimeoutMs,
		makeClient: () => createClient({ settings: settings().discord, token: deps.token, log, metrics }),
		attach(client) {
			router.attach(client);
			interactions.attach(client);
			intake?.attach(client);
			fleet?.attach(client);
			client.on(Events.ThreadUpdate, (_before, thread) => relay.reopen(thread.id));
			client.on(Events.ChannelUpdate, (_before, channel) => relay.reopen(channel.id));
			client.on(Events.GuildCreate, () => void (client.isReady() && deploy(client)));
			client.on(Events.MessageDelete, (message) => void panels.deleted(message.id));
		},
		onSession: (client) => {
			settle(client).catch((error: unknown) => log.error({ error }, 'settling into a new session failed'));
		},
	});

	/** After every new session: first the people's messages, then what only we see. */
	const settle = async (client: Client) => {
		await router.catchUp();
		if (!client.isReady()) return;
		void intake?.catchUp();
		void fleet?.catchUp();
		const { discord } = settings();
		const name = settings().overseer.name;
		await Promise.all([deploy(client), nickname.apply(client, name, discord.guildId, true), checkNow(client)]);
		await upkeep();
	};

	const deploy = async (client: Client<true>) => {
		const data = [...commandData, ...(intake === undefined ? [] : intakeCommandData), ...(fleet?.commandData ?? [])];
		await deployCommands(client, settings().discord, { memory: deps.deployMemory, log, data }).catch(
			(error: unknown) => {
				notices.warn(
					'deploy',
					'The commands could not be registered. Repair: invite me with the scope `applications.commands`.',
				);
				log.error({ error }, 'registering commands failed');
			},
		);
	};

	const checkNow = async (client: Client<true>) => {
		for (const finding of checkSelf(await gatherSelf(client, settings()))) {
			if (finding.severity === 'info') log.info({ code: finding.code, fix: finding.fix }, finding.what);
			else notices.warn(`self:${finding.code}:${finding.what}`, `${finding.what} Repair: ${finding.fix}`);
		}
	};

	const upkeep = async () => {
		const client = session();
		if (!client?.isReady()) return;
		panels.touchAll();
		metrics.gauge('discord_gateway_latency_seconds', Math.max(0, client.ws.ping) / 1_000);
		await presence();
		await nickname.apply(client, settings().overseer.name, settings().discord.guildId);
		await intake?.upkeep();
		await fleet?.upkeep();
	};
	const presence = async () => {
		const client = session();
		if (!client?.isReady()) return;
		const facts = await reader.presenceFacts();
		const now = fleet?.status();
		showPresence(client, decidePresence({ ...facts, ...(now === undefined ? {} : { fleet: now }) }));
	};
	const presenceSafely = () =>
		void presence().catch((error: unknown) => log.warn({ error }, 'presence could not be brought up to date'));
	const upkeepSafely = () =>
		void upkeep().catch((error: unknown) => log.warn({ error }, 'presence could not be brought up to date'));

	return {
		async start() {
			relay.start();
			intake?.start();
			fleet?.start();
			removers = [
				deps.status.onWrite((roomId) => panels.touch(roomId)),
				deps.site.onChange(() => {
					panels.touchAll();
					upkeepSafely();
				}),
			];
			upkeepTimer = setInterval(upkeepSafely, timings.upkeepMs);
			await connection.start();
		},
		async stop() {
			clearInterval(upkeepTimer);
			await Promise.all([router.stop(), interactions.stop(), ...removers.map((remove) => remove())]);
			panels.stop();
			// What was not written is written by whoever comes next: all of it stands in the stores.
			await edits.stop();
			await intake?.stop();
			await fleet?.stop();
			await relay.stop();
			await connection.stop();
		},
		health() {
			const { problem, ...status } = connection.status();
			const ping = session()?.ws.ping ?? -1;
			return {
				...status,
				...(ping >= 0 ? { pingMs: Math.round(ping) } : {}),
				...(problem === undefined ? {} : { problem: { code: problem.code, lines: problem.lines } }),
				warnings: notices.current(),
			};
		},
	};
}
