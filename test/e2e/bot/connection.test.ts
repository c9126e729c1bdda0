import { afterEach, describe, expect, test } from 'vitest';
import { BadToken, DisallowedIntents } from '../../../bot/gateway/login-error.ts';
import { type BotHouse, type BotHouseOptions, createBotHouse } from '../../support/bot-house.ts';
import { eventually } from '../../support/fakes/eventually.ts';

let house: BotHouse;
const open = async (options: BotHouseOptions = {}) => {
	house = await createBotHouse(options);
	return house;
};
afterEach(() => house.close());

const say = (text: string) => house.control.message({ as: 'alex', channel: 'room', text });

describe('connection', () => {
	test('OPS-9 a resume that is never answered is given up: a new login hears again and catches up', async () => {
		await open();
		const bot = house.newBot();
		await bot.start();
		await say('before');
		await eventually(() => house.heard().length === 1);
		await house.control.gatewayFaults({ resume: 'ignore' });
		await house.control.gateway({ action: 'drop' });
		await say('into the void');
		await eventually(() => [...house.metrics.counts.keys()].some((key) => key.includes('resume_unanswered')), 20_000);
		await eventually(() => house.heard().length === 2, 25_000);
		expect(house.heard()).toEqual(['before', 'into the void']);
		expect(bot.health().state).toBe('ready');
		await say('and after');
		await eventually(() => house.heard().includes('and after'));
	});

	test('OPS-3 OPS-13 a wrong token is explained in four lines and not tried again and again', async () => {
		await open();
		const bot = house.newBot({ token: 'wrong' });
		const failure = await bot.start().catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(BadToken);
		expect((failure as BadToken).lines).toHaveLength(4);
		expect((failure as BadToken).lines.join(' ')).toContain('DISCORD_TOKEN');
		expect(bot.health()).toMatchObject({ state: 'failed', problem: { code: 'discord_bad_token' } });
	});

	test('OPS-3 OPS-13 close code 4014 names the intent, the place of the switch and the way without it', async () => {
		await open({ discord: { bots: [{ name: 'Majordomo', privilegedIntents: [] }] } });
		const bot = house.newBot();
		const failure = await bot.start().catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(DisallowedIntents);
		const text = (failure as DisallowedIntents).lines.join('\n');
		expect((failure as DisallowedIntents).lines).toHaveLength(4);
		expect(text).toContain('4014');
		expect(text).toContain('Message Content Intent');
		expect(text).toContain('discord.messageContent: false');
		expect(bot.health().problem?.code).toBe('discord_disallowed_intents');
	});

	test('OPS-9 an outage at start is no reason to give up', async () => {
		await open({ timings: { loginDeadlineMs: 1_000 } });
		await house.control.gatewayFaults({ refuseConnections: true });
		const bot = house.newBot();
		await bot.start();
		expect(bot.health()).toMatchObject({ state: 'reconnecting', problem: { code: 'discord_unreachable' } });
		await house.control.gatewayFaults({ refuseConnections: false });
		await eventually(() => bot.health().state === 'ready', 25_000);
		expect(bot.health().problem).toBeUndefined();
	});

	test('OPS-9 a token that is refused while running shows in health and is tried again', async () => {
		await open();
		const bot = house.newBot();
		await bot.start();
		await house.control.gateway({ action: 'close', code: 4004 });
		await eventually(() => bot.health().problem?.code === 'discord_bad_token');
		await eventually(() => bot.health().state === 'ready', 25_000);
	});

	test('OPS-9 one 401 on a request does not silence the bot', async () => {
		await open();
		await house.newBot().start();
		await house.control.restFault({
			kind: 'error',
			method: 'POST',
			path: '/channels/*/messages',
			status: 401,
			code: 0,
			message: '401: Unauthorized',
			times: 1,
		});
		await house.bus.publish(house.botLine('b1', 'said in the end'));
		await house.control.waitMessage({ channel: 'room', contains: 'said in the end', after: '0' });
	});
});
