import type { Tracing } from '../../adapters/observe/tracing.ts';
import { type Environment, parseEnvironment } from '../../config/env.ts';
import type { Settings } from '../../config/schema.ts';
import type { Log } from '../../core/ports.ts';
import type { SeenMessage } from '../../demo/discord/control/seen.ts';
import type { BotSeed } from '../../demo/discord/layout.ts';
import { ANY_PORTS, openRehearsalHouse, type RehearsalHouse } from '../../demo/house.ts';
import type { LoopbackModel } from '../../demo/model/loopback-model.ts';
import { type Household, startHousehold } from '../../main.ts';
import { startTestRedis, type TestRedis, testLog } from './redis.ts';

const TEST_PASSWORD = 'only-for-tests-0123';

/** The whole product in one process: real discord.js, Redis, BullMQ and SDK clients against the rehearsal house. */
export interface TestHousehold {
	readonly house: RehearsalHouse;
	readonly redis: TestRedis;
	readonly model: LoopbackModel;
	readonly settings: Settings;
	readonly httpUrl: string;
	/** Posts as a person in the room's channel and gives back the message's id. */
	say(as: string, text: string): Promise<string>;
	/** The bot's first message in a channel after the given one; rejects when there is none in time. */
	answer(after: string, options?: { channel?: string; matches?: string; timeoutMs?: number }): Promise<SeenMessage>;
	/** Lines of the bot in the room's channel, oldest first. */
	botLines(): Promise<string[]>;
	/** Stops the bot's process part and starts it again on the same house and Redis. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

export async function openTestHousehold(
	options: {
		change?: (settings: Settings) => void;
		redis?: TestRedis;
		log?: Log;
		tracing?: Tracing;
		now?: () => number;
		/** Secrets in the place of the rehearsal house's own, asked at each start. */
		secrets?: () => Partial<Environment>;
		bots?: readonly BotSeed[];
	} = {},
): Promise<TestHousehold> {
	const redis = options.redis ?? (await startTestRedis());
	const house = await openRehearsalHouse({
		ports: ANY_PORTS,
		env: { MAJORDOMO_DEMO_MODEL: 'scripted' },
		...(options.now ? { now: options.now } : {}),
		...(options.bots ? { bots: options.bots } : {}),
	});
	const settings = structuredClone(house.settings);
	settings.redis.prefix = redis.prefix;
	options.change?.(settings);
	const parsed = parseEnvironment({ ADMIN_PASSWORD: TEST_PASSWORD, INTAKE_KEYS: `test:${'A'.repeat(43)}=` });
	if (!parsed.ok) throw new Error('the test environment is not valid');
	const { environment } = parsed;
	const model = house.thinking.scripted;
	if (!model) throw new Error('tests think with the script');
	const { control } = house.discord;

	const start = () =>
		startHousehold({
			settings: () => settings,
			environment: { ...environment, ...house.secrets, ...options.secrets?.() },
			redis: { kind: 'given', how: 'a Redis for tests', where: redis.where, stop: async () => undefined },
			log: options.log ?? testLog(),
			...(options.tracing ? { tracing: options.tracing } : {}),
		});
	let household: Household = await start();
	await control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 20_000 });

	return {
		house,
		redis,
		model,
		settings,
		get httpUrl() {
			return household.httpUrl;
		},
		async say(as, text) {
			return (await control.message({ as, channel: 'room', text })).id;
		},
		answer: (after, { channel = 'room', matches, timeoutMs = 20_000 } = {}) =>
			control.waitMessage({ channel, after, author: 'Majordomo', ...(matches ? { matches } : {}), timeoutMs }),
		async botLines() {
			const lines = await control.messages({ channel: 'room', author: 'Majordomo' });
			return lines.map(({ text }) => text);
		},
		async restart() {
			await household.stop();
			household = await start();
			await control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 20_000 });
		},
		async stop() {
			await household.stop();
			await house.close();
			if (!options.redis) await redis.stop();
		},
	};
}
