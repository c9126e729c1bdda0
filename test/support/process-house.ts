import { createStores, type Stores } from '../../adapters/redis/stores.ts';
import { describeTarget } from '../../adapters/redis/target.ts';
import { parseEnvironment } from '../../config/env.ts';
import type { Settings } from '../../config/schema.ts';
import { type OverseerStatus, overseerStatus } from '../../core/overseer/status.ts';
import { createLoopbackDiscord, type LoopbackDiscord } from '../../demo/discord/server.ts';
import { createLoopbackHome, type LoopbackHome } from '../../demo/home/loopback-home.ts';
import type { LoopbackModel } from '../../demo/model/loopback-model.ts';
import { createLoopbackOllama } from '../../demo/model/loopback-ollama.ts';
import type { ModelScript } from '../../demo/model/model-script.ts';
import { rehearsalSettings } from '../../demo/settings.ts';
import { startChild, type TestChild } from './child.ts';
import { eventually, startTestRedis, type TestRedis } from './redis.ts';
import type { WorkerOrder } from './worker-process.ts';

/** A process of the household with its code loaded and no work yet. */
export interface HouseProcess {
	/** Starts its part of the household; resolves when it runs. */
	open(settings?: Settings): Promise<void>;
	/** Where its own HTTP server listens, once it is open. */
	httpUrl(): string;
	kill(): Promise<void>;
	/** SIGTERM; resolves with the exit code. */
	end(): Promise<number | null>;
	readonly child: TestChild;
}

/** Redis, Discord, Home Assistant and model in the test's process; the household's parts in processes of their own. */
export interface ProcessHouse {
	readonly redis: TestRedis;
	readonly discord: LoopbackDiscord;
	readonly home: LoopbackHome;
	readonly model: LoopbackModel;
	readonly stores: Stores<OverseerStatus>;
	readonly settings: Settings;
	/** Loads a process; `open` it later. `env` replaces the environment. */
	load(role: 'all' | 'bot' | 'worker', env?: NodeJS.ProcessEnv): Promise<HouseProcess>;
	/** Where a room stands and what its processes complained of, for a test that failed. */
	story(room: string): Promise<string>;
	close(): Promise<void>;
}

const LOAD_MS = 60_000;

export async function openProcessHouse(options: {
	script: ModelScript;
	/** Further channels of the guild. */
	channels?: readonly string[];
	change?(settings: Settings, channelOf: (name: string) => string): void;
	redis?: TestRedis;
	/** Further secrets of the environment. */
	secrets?: NodeJS.ProcessEnv;
}): Promise<ProcessHouse> {
	const redis = options.redis ?? (await startTestRedis());
	const home = await createLoopbackHome({ pace: { liftTravelMs: 1_500, cleanMs: 600_000 } });
	const model = await createLoopbackOllama({ script: options.script });
	const discord = await createLoopbackDiscord();
	const channels = { ...discord.channels };
	for (const name of options.channels ?? [])
		channels[name] = (await discord.control.createChannel({ name, category: 'House' })).id;
	const settings = rehearsalSettings({
		discord: { ...discord, channels },
		homeUrl: home.url,
		model: { provider: 'ollama', name: 'scripted:latest', ollama: { url: model.url } } as Partial<Settings['model']>,
		httpPort: 0,
	});
	settings.redis.prefix = redis.prefix;
	options.change?.(settings, (name) => channels[name] ?? '');
	const connection = await redis.connect();
	const stores = createStores(connection, { statusSchema: overseerStatus, audit: settings.overseer.audit });
	const children: TestChild[] = [];

	return {
		redis,
		discord,
		home,
		model,
		stores,
		settings,
		async load(role, env = process.env) {
			const parsed = parseEnvironment({
				ADMIN_PASSWORD: 'only-for-tests-0123',
				INTAKE_KEYS: `test:${'A'.repeat(43)}=`,
				ROLE: role,
				...options.secrets,
			});
			if (!parsed.ok) throw new Error('the test environment is not valid');
			const environment = { ...parsed.environment, discordToken: discord.token, homeAssistantToken: home.token };
			const child = startChild('test/support/worker-process.ts', [], env);
			children.push(child);
			const says = (word: string) =>
				eventually(
					`the ${role} process is ${word}; it says: ${child.stderr().slice(-2_000)}`,
					() => {
						if (child.process.exitCode !== null) throw new Error(`it ended: ${child.stderr().slice(-2_000)}`);
						return child.lines.includes(word);
					},
					LOAD_MS,
				);
			await says('loaded');
			return {
				child,
				async open(changed = settings) {
					const redisUrl = describeTarget(redis.where).replace('unix:', 'unix://');
					const order: WorkerOrder = { settings: changed, environment, redisUrl };
					child.process.stdin?.write(`${JSON.stringify(order)}\n`);
					await says('up');
				},
				httpUrl: () => child.lines.find((line) => line.startsWith('http '))?.slice(5) ?? '',
				kill: () => child.end('SIGKILL'),
				async end() {
					await child.end('SIGTERM');
					return child.process.exitCode;
				},
			};
		},
		async story(room) {
			const { gate, messages } = await stores.rooms.read(room, { messages: 10, events: 5 });
			const rows = await stores.audit.query({ room, limit: 10 });
			const complaints = children.map((child) => `${child.process.pid}: ${child.stderr().slice(-3_000)}`);
			const asked = model.control.requests().length;
			return JSON.stringify({ now: Date.now(), gate, messages, rows, asked, complaints }, undefined, 1);
		},
		async close() {
			await Promise.all(children.map((child) => child.end('SIGKILL')));
			await Promise.allSettled([discord.close(), home.close(), model.close()]);
			if (!options.redis) await redis.stop();
		},
	};
}
