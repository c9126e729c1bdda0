import type { Environment } from '../config/env.ts';
import type { Settings } from '../config/schema.ts';
import type { BotSeed } from './discord/layout.ts';
import { createLoopbackDiscord, type LoopbackDiscord } from './discord/server.ts';
import { createLoopbackHome, type LoopbackHome } from './home/loopback-home.ts';
import { type FleetRehearsal, rehearsalSettings } from './settings.ts';
import { findThinking, type Thinking } from './thinking.ts';

/** Fixed ports, so that a bookmark and a test written elsewhere find the house again; 0 = any free one. */
export interface HousePorts {
	readonly discord: number;
	readonly home: number;
	readonly model: number;
	readonly http: number;
}

export const DEFAULT_PORTS: HousePorts = { discord: 8700, home: 8701, model: 8702, http: 8750 };
export const ANY_PORTS: HousePorts = { discord: 0, home: 0, model: 0, http: 0 };

/** The rehearsal house: everything that the bot takes for the outside world, on this machine. */
export interface RehearsalHouse {
	readonly discord: LoopbackDiscord;
	readonly home: LoopbackHome;
	readonly thinking: Thinking;
	readonly settings: Settings;
	/** Secrets as the bot would find them in its environment. */
	readonly secrets: Pick<Environment, 'discordToken' | 'homeAssistantToken' | 'anthropicApiKey'>;
	close(): Promise<void>;
}

export async function openRehearsalHouse(options: {
	ports: HousePorts;
	env: NodeJS.ProcessEnv;
	/** Clock of all its servers, epoch milliseconds; a finer one than the system's for measurements. */
	now?: () => number;
	/** Further bot applications beside our own. */
	bots?: readonly BotSeed[];
	/** Further pages beside the chat, by title. */
	sidePanels?: readonly { title: string; url: string }[];
	/** With it the house keeps a fleet. */
	fleet?: FleetRehearsal;
}): Promise<RehearsalHouse> {
	const { ports, env } = options;
	const clock = options.now ? { now: options.now } : {};
	const home = await createLoopbackHome({ port: ports.home, ...clock });
	const thinking = await findThinking(env, ports.model, options.now);
	const discord = await createLoopbackDiscord({
		port: ports.discord,
		...clock,
		bots: [{ name: 'Majordomo' }, ...(options.bots ?? [])],
		sidePanels: [{ title: 'Room', url: home.url }, ...(options.sidePanels ?? [])],
	});
	return {
		discord,
		home,
		thinking,
		settings: rehearsalSettings({
			discord,
			homeUrl: home.url,
			model: thinking.model,
			httpPort: ports.http,
			...(options.fleet === undefined ? {} : { fleet: options.fleet }),
		}),
		secrets: {
			discordToken: discord.token,
			homeAssistantToken: home.token,
			...(env.ANTHROPIC_API_KEY ? { anthropicApiKey: env.ANTHROPIC_API_KEY } : {}),
		},
		async close() {
			await Promise.allSettled([discord.close(), home.close(), thinking.close()]);
		},
	};
}
