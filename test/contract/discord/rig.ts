import { Client, GatewayIntentBits, Partials } from 'discord.js';

export interface SlashOption {
	name: string;
	type: number;
	value: string | number | boolean;
}

/** A Discord under test with the hands of two people in it: what both of our stand-ins can be asked to do. */
export interface DiscordRig {
	restUrl: string;
	token: string;
	guildId: string;
	/** The one text channel of the scenarios. */
	channelId: string;
	people: { alex: string; sam: string };
	say(who: 'alex' | 'sam', text: string): Promise<string>;
	edit(who: 'alex' | 'sam', messageId: string, text: string): Promise<void>;
	remove(who: 'alex' | 'sam', messageId: string): Promise<void>;
	slash(who: 'alex' | 'sam', name: string, options?: SlashOption[]): Promise<void>;
	/** Answers with the names of the choices offered. */
	complete(who: 'alex' | 'sam', name: string, option: string, typed: string): Promise<string[]>;
	press(who: 'alex' | 'sam', messageId: string, customId: string): Promise<void>;
	choose(who: 'alex' | 'sam', messageId: string, customId: string, values: string[]): Promise<void>;
	/** Sends the modal that the last button press opened. */
	submitModal(who: 'alex' | 'sam', customId: string, fields: Record<string, string>): Promise<void>;
	close(): Promise<void>;
}

export type MakeRig = () => Promise<DiscordRig>;

const usualIntents = [
	GatewayIntentBits.Guilds,
	GatewayIntentBits.GuildMessages,
	GatewayIntentBits.GuildMessageReactions,
	GatewayIntentBits.GuildMessageTyping,
	GatewayIntentBits.DirectMessages,
	GatewayIntentBits.MessageContent,
];

/** The unmodified client, pointed at a stand-in and ready. */
export async function connect(
	rig: { restUrl: string; token: string },
	options: { intents?: number[]; retries?: number; timeoutMs?: number } = {},
): Promise<Client<true>> {
	const client = new Client({
		intents: options.intents ?? usualIntents,
		partials: [Partials.Channel, Partials.Message, Partials.Reaction],
		rest: { api: rig.restUrl, version: '10', retries: options.retries ?? 3, timeout: options.timeoutMs ?? 15_000 },
	});
	client.on('error', () => {});
	const ready = new Promise<void>((resolve) => client.once('clientReady', () => resolve()));
	await client.login(rig.token);
	await ready;
	return client as Client<true>;
}

/** Looks again and again until something is there; fails with `what` after the deadline. */
export async function eventually<T>(
	what: string,
	look: () => T | undefined | false | Promise<T | undefined | false>,
	deadlineMs = 15_000,
): Promise<T> {
	const endMs = Date.now() + deadlineMs;
	for (;;) {
		const value = await look();
		if (value !== undefined && value !== false) return value;
		if (Date.now() > endMs) throw new Error(`not in time: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

/** The Discord error code a call is refused with; fails when it is not refused. */
export async function codeOf(call: Promise<unknown>): Promise<number | string> {
	try {
		await call;
	} catch (error) {
		return (error as { code?: number | string }).code ?? String(error);
	}
	throw new Error('the call was not refused');
}
