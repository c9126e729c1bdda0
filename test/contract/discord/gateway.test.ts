import { type Client, GatewayIntentBits, type Message, type TextChannel } from 'discord.js';
import { afterEach, describe, expect, test } from 'vitest';
import {
	createLoopbackDiscord,
	type LoopbackDiscord,
	type LoopbackDiscordOptions,
} from '../../../demo/discord/server.ts';
import { connect, eventually } from './rig.ts';

const { Guilds, GuildMessages, MessageContent, DirectMessages } = GatewayIntentBits;

describe('gateway of the loopback Discord', () => {
	let discord: LoopbackDiscord;
	const clients: Client[] = [];

	const open = async (options: LoopbackDiscordOptions = {}): Promise<void> => {
		discord = await createLoopbackDiscord(options);
	};
	const join = async (options: { intents?: number[]; token?: string } = {}): Promise<Client<true>> => {
		const client = await connect({ restUrl: discord.restUrl, token: options.token ?? discord.token }, options);
		clients.push(client);
		return client;
	};
	const textsOf = (client: Client): string[] => {
		const texts: string[] = [];
		client.on('messageCreate', (message: Message) => texts.push(message.content));
		return texts;
	};
	const say = (text: string, channel = 'room', as = 'alex') => discord.control.message({ as, channel, text });

	afterEach(async () => {
		await Promise.all(clients.splice(0).map((one) => one.destroy()));
		await discord.close();
	});

	test('a lost connection is resumed and what was missed is replayed in order, once', async () => {
		await open();
		const client = await join();
		const texts = textsOf(client);
		await say('before');
		await eventually('the first message', () => texts.includes('before'));
		const resumed = new Promise<number>((resolve) => client.once('shardResume', (_, replayed) => resolve(replayed)));
		await discord.control.gateway({ action: 'drop' });
		await say('missed one');
		await say('missed two');
		expect(await resumed).toBe(3);
		await say('after');
		await eventually('the last message', () => texts.includes('after'));
		expect(texts).toEqual(['before', 'missed one', 'missed two', 'after']);
		expect((await discord.control.state({})).bots[0]?.sessions).toHaveLength(1);
	});

	test('events stalled on a half-dead connection arrive with the resume', async () => {
		await open();
		const client = await join();
		const texts = textsOf(client);
		await discord.control.gatewayFaults({ stallEvents: true });
		await say('unheard');
		await discord.control.gatewayFaults({ stallEvents: false });
		expect(texts).toEqual([]);
		await discord.control.gateway({ action: 'reconnect' });
		await eventually('the stalled message', () => texts.includes('unheard'));
	});

	test('a refused resume makes a new session', async () => {
		await open();
		const client = await join();
		await discord.control.gatewayFaults({ resume: 'refuse' });
		const before = (await discord.control.state({})).bots[0]?.sessions[0]?.id;
		const again = new Promise<void>((resolve) => client.once('shardReady', () => resolve()));
		await discord.control.gateway({ action: 'close', code: 4000 });
		await again;
		const sessions = (await discord.control.state({})).bots[0]?.sessions ?? [];
		expect(sessions.find((one) => one.connected)?.id).not.toBe(before);
	});

	test('a session is forgotten three minutes after its connection was lost', async () => {
		await open();
		const client = await join();
		await discord.control.gatewayFaults({ refuseConnections: true });
		await discord.control.gateway({ action: 'drop' });
		await discord.control.waitBot({ online: false });
		await discord.control.clock({ advanceMs: 181_000 });
		await say('nobody remembers');
		expect((await discord.control.state({})).bots[0]?.sessions).toEqual([]);
		expect(client.isReady()).toBe(true);
	});

	test('an unanswered resume leaves the client deaf although its socket is open', async () => {
		await open();
		const client = await join();
		const texts = textsOf(client);
		await discord.control.gatewayFaults({ resume: 'ignore' });
		await discord.control.gateway({ action: 'drop' });
		await new Promise((resolve) => setTimeout(resolve, 1500));
		await say('anybody?');
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(texts).toEqual([]);
		expect((await discord.control.state({})).bots[0]?.online).toBe(false);
	});

	test('heartbeats without acknowledgement make the client reconnect', async () => {
		await open({ heartbeatIntervalMs: 300 });
		const client = await join();
		const resumed = new Promise<void>((resolve) => client.once('shardResume', () => resolve()));
		await discord.control.gatewayFaults({ stallHeartbeats: true });
		await eventually('the loss', async () => (await discord.control.state({})).bots[0]?.online === false);
		await discord.control.gatewayFaults({ stallHeartbeats: false });
		await resumed;
	});

	test('privileged intents that are not switched on are refused at login', async () => {
		await open({ bots: [{ name: 'Majordomo', privilegedIntents: [] }] });
		await expect(join()).rejects.toThrow(/intent/i);
		const client = await join({ intents: [Guilds, GuildMessages] });
		expect(client.isReady()).toBe(true);
	});

	test('without the content intent texts are empty, except for mentions, own messages and direct ones', async () => {
		await open();
		const client = await join({ intents: [Guilds, GuildMessages, DirectMessages] });
		const texts = textsOf(client);
		const seen = await say('secret text');
		await say('hello @Majordomo');
		await say('just us', 'dm:Majordomo');
		const room = client.channels.cache.get(discord.channels['room'] ?? '') as TextChannel;
		await room.send('my own');
		await eventually('four messages', () => texts.length === 4);
		expect(texts).toEqual(['', `hello <@${discord.applicationId}>`, 'just us', 'my own']);
		const fetched = await room.messages.fetch({ message: seen.id, force: true });
		expect(fetched.content).toBe('secret text');
	});

	test('events that no intent asks for do not arrive', async () => {
		await open();
		const client = await join({ intents: [Guilds, MessageContent] });
		const texts = textsOf(client);
		await say('not for you');
		const created = new Promise<void>((resolve) => client.once('channelCreate', () => resolve()));
		await discord.control.createChannel({ name: 'new-room' });
		await created;
		expect(texts).toEqual([]);
	});

	test('who may not see a channel hears nothing of it', async () => {
		await open({ bots: [{ name: 'Majordomo' }, { name: 'Other' }] });
		const first = textsOf(await join());
		const second = textsOf(await join({ token: discord.bots['Other']?.token ?? '' }));
		await discord.control.channelPermissions({ channel: 'room', target: 'Other', deny: ['ViewChannel'] });
		await discord.control.channelPermissions({ channel: 'room', target: 'casey', deny: ['ViewChannel'] });
		await say('behind the door');
		await say('for all', 'intake');
		await eventually('the open message', () => second.includes('for all') && first.includes('for all'));
		expect(first).toEqual(['behind the door', 'for all']);
		expect(second).toEqual(['for all']);
		await expect(discord.control.messages({ as: 'casey', channel: 'room' })).rejects.toThrow(/hidden/);
	});

	test('two processes of one bot both get every event', async () => {
		await open();
		const first = textsOf(await join());
		const second = textsOf(await join());
		await say('to both');
		await eventually('both', () => first.includes('to both') && second.includes('to both'));
	});

	test('a bot that is put out of the guild and back hears of both', async () => {
		await open();
		const client = await join();
		const gone = new Promise<void>((resolve) => client.once('guildDelete', () => resolve()));
		await discord.control.membership({ who: 'Majordomo', member: false });
		await gone;
		const back = new Promise<void>((resolve) => client.once('guildCreate', () => resolve()));
		await discord.control.membership({ who: 'Majordomo', member: true });
		await back;
	});
});
