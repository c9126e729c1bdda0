import { GatewayIntentBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { clientIntents, createClient } from '../../../../bot/gateway/client.ts';
import { discordSettings } from '../../../../config/discord.ts';
import { createMemoryLog, createMemoryMetrics } from '../../../support/fakes/memory-log.ts';

const make = () => {
	const log = createMemoryLog();
	const client = createClient({ settings: discordSettings.parse({}), token: 't', log, metrics: createMemoryMetrics() });
	return { client, log };
};

describe('createClient', () => {
	test('OPS-12 D03 mentions are closed for everything this client sends', () => {
		expect(make().client.options.allowedMentions).toEqual({ parse: [], repliedUser: false });
	});

	test('OPS-13 intents are the least that work; content only when the settings want it', () => {
		const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
		expect(clientIntents({ messageContent: true })).toEqual([Guilds, GuildMessages, MessageContent]);
		expect(clientIntents({ messageContent: false })).toEqual([Guilds, GuildMessages]);
	});

	test('OPS-9 an event that nobody can read is logged and thrown away', () => {
		const { client, log } = make();
		const handle: unknown = Reflect.get(client.ws, 'handlePacket');
		if (typeof handle !== 'function') throw new Error('discord.js changed: the guard has nothing to guard');
		expect(() => handle({ t: 'READY', d: null }, {})).not.toThrow();
		expect(log.lines).toEqual([
			expect.objectContaining({ level: 'error', fields: expect.objectContaining({ event: 'READY' }) }),
		]);
	});

	test('OPS-9 errors of every emitter have a listener', () => {
		const { client, log } = make();
		expect(() => client.emit('error', new Error('boom'))).not.toThrow();
		expect(() => client.emit('shardError', new Error('boom'), 0)).not.toThrow();
		expect(log.lines).toHaveLength(2);
	});
});
