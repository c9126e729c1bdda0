import { createStored } from '../../../adapters/redis/stored.ts';
import { createMessageClaims } from '../../../adapters/redis/stores/message-claims.ts';
import type { Bot } from '../../../bot/bot.ts';
import type { FleetPorts } from '../../../bot/fleet/fleet-ports.ts';
import type { FleetSettings } from '../../../config/fleet.ts';
import type { ConciergeModel } from '../../../core/fleet/budget.ts';
import { type FleetSession, sessionId } from '../../../core/fleet/session.ts';
import type { Model } from '../../../core/model/model-port.ts';
import type { MessageClaims } from '../../../core/overseer/stores.ts';
import type { SeenInteraction, SeenMessage } from '../../../demo/discord/control/seen.ts';
import { type BotHouse, type BotHouseOptions, createBotHouse } from '../../support/bot-house.ts';
import { type FleetBench, fastFleet, LAPTOP, openFleet, reporter } from '../../support/fleet.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

type Item = Awaited<ReturnType<FleetBench['inbox']>>[number];
type Options = Record<string, string | number | boolean>;

/** The real bot on the loopback Discord, over the real stores, desks, workers and ingest edge of the fleet. */
export interface WordsRig {
	readonly redis: TestRedis;
	readonly bench: FleetBench;
	readonly house: BotHouse;
	readonly control: BotHouse['control'];
	readonly claims: MessageClaims;
	/** What waits for a session, as its host fetches it; waits for the first item. */
	inbox(nativeId: string): Promise<Item[]>;
	acknowledge(nativeId: string, seq: number): Promise<void>;
	session(nativeId: string): Promise<FleetSession | undefined>;
	/** A session that works. */
	working(nativeId: string, name: string): Promise<ReturnType<typeof reporter>>;
	command(command: string, options?: Options, as?: string, channel?: string): Promise<SeenInteraction>;
	press(message: SeenMessage | null, button: string, as?: string): Promise<SeenInteraction>;
	say(channel: string, text: string, as?: string): Promise<SeenMessage>;
	/** A message of the bot that has this in it; waits for it. */
	said(channel: string, contains: string, timeoutMs?: number): Promise<SeenMessage>;
	/** Messages of the bot that have this in them, as they stand now. */
	all(channel: string, contains?: string): Promise<SeenMessage[]>;
	/** The thread of a session, opened by command. */
	thread(name: string): Promise<string>;
	newBot(fleet?: Partial<FleetPorts>): Promise<Bot>;
	/** Ends the first bot; `startBot` begins a new one. */
	stopBot(): Promise<void>;
	startBot(): Promise<void>;
	close(): Promise<void>;
}

export interface WordsRigOptions {
	readonly settings?: Partial<FleetSettings> & { concierge?: object };
	readonly house?: BotHouseOptions;
	readonly model?: Model;
	readonly price?: ConciergeModel;
	readonly fleet?: Partial<FleetPorts>;
	/** How long a message counts as in the hands of a process that says no more. */
	readonly claimMs?: number;
}

const NO_MODEL: ConciergeModel = { id: undefined, isLocal: true, price: undefined };
export const ALEX = '1000000000000000001';
export const idOf = (nativeId: string) => sessionId('script', 'laptop', nativeId);

export async function openWordsRig(options: WordsRigOptions = {}): Promise<WordsRig> {
	const redis = await startTestRedis();
	const house = await createBotHouse(options.house);
	const settings = fastFleet({ channelId: house.discord.channels['fleet'], ownerUserIds: [ALEX], ...options.settings });
	house.change({ fleet: settings });
	const bench = await openFleet(redis, { settings, isShowing: false });
	bench.work(options.model === undefined ? {} : { model: options.model });
	const price = () => options.price ?? NO_MODEL;
	const ports: FleetPorts = { ...bench.stores, ...bench.desks, price, ...options.fleet };
	const limits = { claimMs: options.claimMs ?? 120_000, handledMs: 86_400_000 };
	const claims = createMessageClaims(bench.redis, createStored(bench.redis), limits);
	const { control } = house;

	const newBot = async (fleet: Partial<FleetPorts> = {}) => {
		const one = house.newBot({ claims, fleet: { ...ports, ...fleet } });
		await one.start();
		return one;
	};
	let bot = await newBot();
	await eventually('the commands are registered', async () =>
		(await control.commands({})).some(({ command }) => command.name === 'session'),
	);
	// A new house reads the feed from its end on; what a test reports has to come after that.
	await eventually('the feed is followed', async () => (await bench.stores.places.threadCursor()) !== undefined);
	const all = (channel: string, contains?: string) =>
		control
			.messages({ channel, author: 'Majordomo', limit: 200 })
			.then((found) => found.filter(({ allText }) => allText.includes(contains ?? '')));

	const rig: WordsRig = {
		redis,
		bench,
		house,
		control,
		claims,
		inbox: (nativeId) =>
			eventually(`something waits for ${nativeId}`, async () => {
				const items = await bench.inbox(idOf(nativeId), '?wait=2000');
				return items.length > 0 ? items : undefined;
			}),
		async acknowledge(nativeId, seq) {
			const response = await bench.post(`/fleet/sessions/${idOf(nativeId)}/ack`, { seq }, LAPTOP);
			if (!response.ok) throw new Error(`not acknowledged: ${await response.text()}`);
		},
		session: async (nativeId) => (await bench.stores.sessions.load(idOf(nativeId), [], [])).session,
		async working(nativeId, name) {
			const session = reporter(nativeId, name);
			await bench.report([session.say('started'), session.say('working')]);
			return session;
		},
		command: (command, given = {}, as = 'alex', channel = 'fleet') =>
			control.command({ as, channel, command, options: given, until: 'complete', timeoutMs: 20_000 }),
		press: (message, button, as = 'alex') =>
			control.button({ as, message: message?.id ?? '', button, until: 'complete', timeoutMs: 20_000 }),
		say: (channel, text, as = 'alex') => control.message({ as, channel, text }),
		said: (channel, contains, timeoutMs = 20_000) =>
			eventually(`the bot says "${contains}"`, async () => (await all(channel, contains)).at(-1), timeoutMs),
		all,
		async thread(name) {
			const opened = await rig.command('session thread', { session: name });
			return /<#(\d+)>/.exec(opened.message?.text ?? '')?.[1] ?? '';
		},
		newBot,
		stopBot: () => bot.stop(),
		async startBot() {
			bot = await newBot();
			await control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 20_000 });
		},
		async close() {
			await house.close();
			await bench.close();
			await redis.stop();
		},
	};
	return rig;
}
