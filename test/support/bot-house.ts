import { type Bot, type BotTimings, createBot } from '../../bot/bot.ts';
import type { BotDeps, BotSettings } from '../../bot/deps.ts';
import { settingsSchema } from '../../config/schema.ts';
import type { ChatMessage } from '../../core/chat/message.ts';
import type { CommentaryStatus } from '../../core/overseer/commentary-status.ts';
import type { OverseerStatus } from '../../core/overseer/status.ts';
import { freshStatus } from '../../core/overseer/status-change.ts';
import { defaultBotPermissions } from '../../demo/discord/layout.ts';
import { createLoopbackDiscord, type LoopbackDiscordOptions } from '../../demo/discord/server.ts';
import { createMemoryBus } from './fakes/memory-bus.ts';
import { createMemoryClaims } from './fakes/memory-claims.ts';
import { createMemoryLog, createMemoryMetrics } from './fakes/memory-log.ts';
import * as stores from './fakes/memory-stores.ts';
import { testTracer } from './fakes/test-tracer.ts';

export interface BotHouseOptions {
	readonly discord?: LoopbackDiscordOptions;
	/** Bot permissions; the sensible minimum and Change Nickname when left out. */
	readonly permissions?: string[];
	readonly settings?: { discord?: object; overseer?: object };
	readonly deps?: Partial<BotDeps>;
	readonly timings?: Partial<BotTimings>;
}

const quick: BotTimings = {
	loginDeadlineMs: 15_000,
	retry: { firstMs: 100, maxMs: 500, refusedMs: 500 },
	upkeepMs: 500,
};

/** The real bot on the loopback Discord, everything behind its ports in memory. */
export async function createBotHouse(options: BotHouseOptions = {}) {
	const permissions = options.permissions ?? [...defaultBotPermissions, 'ChangeNickname'];
	const discord = await createLoopbackDiscord({ bots: [{ name: 'Majordomo', permissions }], ...options.discord });
	const parts = {
		bus: createMemoryBus(),
		claims: createMemoryClaims(),
		site: stores.createMemorySite(),
		overrides: stores.createMemoryOverrides(),
		status: stores.createMemoryStatus<OverseerStatus>(),
		commentary: stores.createMemoryStatus<CommentaryStatus>(),
		audit: stores.createMemoryAudit(),
		memory: stores.createMemorySlots(),
		votes: stores.createMemoryVotes(),
		deployMemory: stores.createMemoryDeploys(),
		panelMemory: stores.createMemoryPanels(),
		log: createMemoryLog(),
		metrics: createMemoryMetrics(),
		resets: [] as { roomId: string; at: number }[],
	};
	let settings: BotSettings = settingsSchema.parse({
		discord: {
			guildId: discord.guildId,
			restUrl: discord.restUrl,
			adminChannelId: discord.channels['admin'],
			adminRoleIds: [discord.roles['Admin']],
			resumeTimeoutMs: 1_500,
			...options.settings?.discord,
		},
		rooms: [{ id: 'lab', title: 'The lab', channelId: discord.channels['room'] }],
		overseer: { stage: 'full', panel: { minEditMs: 1_000 }, ...options.settings?.overseer },
	});
	const deps: BotDeps = {
		token: discord.token,
		settings: () => settings,
		...parts,
		roomStore: { resetContext: async (roomId, at) => void parts.resets.push({ roomId, at }) },
		world: async () => undefined,
		clock: { now: () => Date.now() },
		random: { next: () => Math.random(), id: () => crypto.randomUUID() },
		tracer: testTracer(),
		...options.deps,
	};
	const bots: Bot[] = [];
	return {
		...parts,
		discord,
		deps,
		control: discord.control,
		settings: () => settings,
		change(part: Partial<BotSettings>) {
			settings = { ...settings, ...part };
		},
		/** Another process on the same stores. */
		newBot(overrides: Partial<BotDeps> = {}): Bot {
			const bot = createBot({ ...deps, ...overrides }, { ...quick, ...options.timings });
			bots.push(bot);
			return bot;
		},
		/** A line of the overseer on the bus. */
		botLine(id: string, text: string, more: Partial<ChatMessage> = {}): ChatMessage {
			const author = { id: 'overseer', name: settings.overseer.name };
			return { id, room: 'lab', author, bot: true, text, at: Date.now(), mentions: [], source: 'overseer', ...more };
		},
		status0: (more: Partial<OverseerStatus> = {}): OverseerStatus => ({
			...freshStatus('lab', settings.overseer, Date.now()),
			running: true,
			...more,
		}),
		/** Texts of people that reached the bus. */
		heard: () => parts.bus.messages.filter((message) => message.source === 'discord').map((message) => message.text),
		posted: async (channel = 'room') =>
			(await discord.control.messages({ channel })).filter((message) => message.author.bot),
		async close() {
			await Promise.all(bots.map((bot) => bot.stop()));
			await discord.close();
		},
	};
}

export type BotHouse = Awaited<ReturnType<typeof createBotHouse>>;
