import type { Bot } from '../../../bot/bot.ts';
import type { FleetPorts } from '../../../bot/fleet/fleet-ports.ts';
import type { FleetSettings } from '../../../config/fleet.ts';
import type { ConciergeModel } from '../../../core/fleet/budget.ts';
import type { Question } from '../../../core/fleet/question.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import type { SeenMessage } from '../../../demo/discord/control/seen.ts';
import { type BotHouse, type BotHouseOptions, createBotHouse } from '../../support/bot-house.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { type FleetBench, fastFleet, openFleet, reporter } from '../../support/fleet.ts';
import type { TestRedis } from '../../support/redis.ts';

/** Ids of the people of the rehearsal house. */
export const ALEX = '1000000000000000001';
export const SAM = '1000000000000000002';

const NO_MODEL: ConciergeModel = { id: undefined, isLocal: true, price: undefined };

export interface CardRig {
	readonly house: BotHouse;
	readonly bench: FleetBench;
	readonly control: BotHouse['control'];
	readonly settings: FleetSettings;
	/** Starts a session that asks this at once. */
	ask(name: string, question: object): Promise<Asked>;
	/** Reports of a session that was begun by `ask`, or of a new one. */
	say(name: string, kind: string, data?: object): Promise<FleetSession>;
	/** Posts of the bot in the fleet's channel, oldest first. */
	posts(): Promise<SeenMessage[]>;
	/** The newest post with all of these in it; waits for it. */
	post(...parts: string[]): Promise<SeenMessage>;
	/** The newest card with all of these in it; waits for it. */
	card(...parts: string[]): Promise<SeenMessage>;
	/** Every card that says this. */
	cards(part: string): Promise<SeenMessage[]>;
	press(message: SeenMessage, button: string, as?: string): ReturnType<BotHouse['control']['button']>;
	question(asked: Asked): Promise<Question>;
	secondBot(): Promise<Bot>;
	/** Ends the running bot; `start` begins a new one. */
	stopBot(): Promise<void>;
	startBot(): Promise<void>;
	close(): Promise<void>;
}

export interface Asked {
	readonly sessionId: string;
	readonly questionId: string;
}

export interface CardRigOptions {
	readonly settings?: Partial<FleetSettings> & { concierge?: never };
	readonly house?: BotHouseOptions;
	/** The concierge's model, as the surface is told. */
	readonly price?: ConciergeModel;
	readonly channelId?: (house: BotHouse) => Promise<string>;
	/** The ports as the bot gets them. */
	readonly ports?: (ports: FleetPorts) => FleetPorts;
	/** Deliveries are worked on; true when left out. */
	readonly isWorking?: boolean;
}

/** The real bot on the loopback Discord, with the fleet's real stores, desks, workers and HTTP edge behind it. */
export async function openCardRig(redis: TestRedis, options: CardRigOptions = {}): Promise<CardRig> {
	const house = await createBotHouse(options.house);
	const channelId = (await options.channelId?.(house)) ?? house.discord.channels['fleet'] ?? '';
	const settings = fastFleet({ channelId, ownerUserIds: [ALEX], ...options.settings });
	house.change({ fleet: settings });
	const bench = await openFleet(redis, { settings, isShowing: false });
	if (options.isWorking !== false) bench.work();
	const given: FleetPorts = { ...bench.stores, ...bench.desks, price: () => options.price ?? NO_MODEL };
	const fleet = options.ports?.(given) ?? given;
	const reporters = new Map<string, ReturnType<typeof reporter>>();
	const reporterOf = (name: string) => {
		const found = reporters.get(name) ?? reporter(name);
		reporters.set(name, found);
		return found;
	};
	let bot: Bot | undefined;
	const { control } = house;
	const startBot = async () => {
		bot = house.newBot({ fleet });
		await bot.start();
		await control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 20_000 });
	};
	const posts = () => control.messages({ channel: channelId, author: 'Majordomo' });
	const cards = async () => (await posts()).filter(({ embeds }) => embeds.length > 0);
	const waitFor = (read: () => Promise<SeenMessage[]>, parts: readonly string[]) =>
		eventually(async () => {
			const all = await read();
			const found = all.findLast(({ allText }) => parts.every((part) => allText.includes(part)));
			if (found !== undefined) return found;
			const texts = all.map(({ allText }) => allText).join('\n---\n');
			throw new Error(`no post with ${parts.join(' + ')}; there is:\n${texts}`);
		}, 20_000);
	const idOf = async (name: string): Promise<FleetSession> => {
		const found = (await bench.stores.sessions.list(100)).find((session) => session.nativeId === name);
		if (found === undefined) throw new Error(`no session ${name}`);
		return found;
	};
	await startBot();

	return {
		house,
		bench,
		control,
		settings,
		async ask(name, question) {
			const { say } = reporterOf(name);
			await bench.report([say('started'), say('question', { question: { ref: 'ask-1', ...question } })]);
			const session = await idOf(name);
			return { sessionId: session.id, questionId: session.openQuestions.at(-1) ?? '' };
		},
		async say(name, kind, data) {
			await bench.report([reporterOf(name).say(kind, data)]);
			return idOf(name);
		},
		posts,
		post: (...parts) => waitFor(posts, parts),
		card: (...parts) => waitFor(cards, parts),
		cards: async (part) => (await cards()).filter(({ allText }) => allText.includes(part)),
		press: (message, button, as = 'alex') =>
			control.button({ as, message: message.id, button, until: 'complete', timeoutMs: 15_000 }),
		async question({ questionId }) {
			const found = await bench.stores.questions.read(questionId);
			if (found === undefined) throw new Error('no such question');
			return found;
		},
		async secondBot() {
			const second = house.newBot({ fleet });
			await second.start();
			return second;
		},
		async stopBot() {
			await bot?.stop();
		},
		startBot,
		async close() {
			await house.close();
			await bench.close();
			await redis.flush();
		},
	};
}

export const SCHEMA = {
	kind: 'choice',
	text: 'Which schema should I use?',
	context: 'migrations/0042 drops a column',
	choices: [{ label: 'v1 (keep)' }, { label: 'v2 (migrate)', value: 'v2' }],
};
