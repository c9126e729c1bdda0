import { afterEach, describe, expect, test } from 'vitest';
import { type BotHouse, createBotHouse } from '../../support/bot-house.ts';
import { eventually } from '../../support/fakes/eventually.ts';

let house: BotHouse;
afterEach(() => house.close());

describe('self-check on a real guild', () => {
	test('OPS-3 a permission missing in one channel is named with its repair, once', async () => {
		house = await createBotHouse();
		await house.control.channelPermissions({
			channel: 'room',
			target: 'Majordomo',
			deny: ['ReadMessageHistory', 'AttachFiles'],
		});
		const bot = house.newBot();
		await bot.start();
		const notice = await house.control.waitMessage({ channel: 'admin', contains: 'I lack', after: '0' });
		expect(notice.text).toContain(`<#${house.discord.channels['room']}>`);
		expect(notice.text).toMatch(/allow: Read Message History, Attach Files\./);
		expect(bot.health().warnings).toHaveLength(1);
		await house.control.gateway({ action: 'invalid-session' });
		await eventually(() => bot.health().reconnects > 0 && bot.health().state === 'ready', 25_000);
		await house.control.message({ as: 'alex', channel: 'room', text: 'after' });
		await eventually(() => house.heard().includes('after'));
		expect((await house.posted('admin')).filter((message) => message.text.includes('I lack'))).toHaveLength(1);
	});

	test('OPS-3 a healthy guild gives no warning', async () => {
		house = await createBotHouse();
		const bot = house.newBot();
		await bot.start();
		await eventually(async () => (await house.control.commands({})).length > 0);
		expect(bot.health()).toMatchObject({ state: 'ready', warnings: [] });
	});

	test('OPS-9 stopping leaves the gateway, and a stopped bot hears nothing', async () => {
		house = await createBotHouse();
		const bot = house.newBot();
		await bot.start();
		await bot.stop();
		expect(bot.health().state).toBe('stopped');
		await house.control.waitBot({ online: false });
		await house.control.message({ as: 'alex', channel: 'room', text: 'nobody home' });
		expect(house.heard()).toEqual([]);
	});
});
