import { afterEach, describe, expect, test } from 'vitest';
import { type BotHouse, type BotHouseOptions, createBotHouse } from '../../support/bot-house.ts';
import { eventually } from '../../support/fakes/eventually.ts';

let house: BotHouse;
const open = async (options: BotHouseOptions = {}) => {
	house = await createBotHouse(options);
	return house;
};
afterEach(() => house.close());

const say = (text: string, as = 'alex') => house.control.message({ as, channel: 'room', text });
const isReady = (bot: { health(): { state: string } }) => () => bot.health().state === 'ready';

describe('each message once', () => {
	test('D11 OPS-14 replays after a resume are not heard twice, messages sent meanwhile are', async () => {
		await open();
		const bot = house.newBot();
		await bot.start();
		await say('before');
		await eventually(() => house.heard().length === 1);
		await house.control.gateway({ action: 'drop' });
		await say('while away');
		await eventually(() => house.heard().includes('while away'));
		await say('after');
		await eventually(() => house.heard().includes('after'));
		expect(house.heard()).toEqual(['before', 'while away', 'after']);
	});

	test('D11 OPS-14 after a lost session the channel is caught up with, in order', async () => {
		await open();
		const bot = house.newBot();
		await bot.start();
		await say('before');
		await eventually(() => house.heard().length === 1);
		await house.control.gatewayFaults({ resume: 'refuse' });
		await house.control.gateway({ action: 'drop' });
		await say('missed one');
		await say('missed two', 'sam');
		await eventually(() => house.heard().length === 3, 25_000);
		await say('after');
		await eventually(() => house.heard().length === 4);
		expect(house.heard()).toEqual(['before', 'missed one', 'missed two', 'after']);
	});

	test('D11 OPS-14 a restart catches up from the last handled message and repeats nothing', async () => {
		await open();
		const first = house.newBot();
		await first.start();
		await say('one');
		await eventually(() => house.heard().length === 1);
		await first.stop();
		await say('two');
		await say('three', 'sam');
		const second = house.newBot();
		await second.start();
		await eventually(() => house.heard().length === 3);
		await say('two');
		await eventually(() => house.heard().length === 4);
		expect(house.heard()).toEqual(['one', 'two', 'three', 'two']);
	});

	test('OPS-14 what is older or more than allowed is left out', async () => {
		await open({ settings: { discord: { catchUp: { maxAgeMs: 900_000, maxMessages: 3 } } } });
		const first = house.newBot();
		await first.start();
		await say('one');
		await eventually(() => house.heard().length === 1);
		await first.stop();
		for (let index = 1; index <= 8; index += 1) await say(`missed ${index}`);
		await house.newBot().start();
		await eventually(() => house.heard().length === 4);
		expect(house.heard()).toEqual(['one', 'missed 6', 'missed 7', 'missed 8']);
		expect(house.log.lines.some((line) => line.message.includes('more was missed'))).toBe(true);
	});

	test('OPS-14 a first start reads no history', async () => {
		await open();
		await say('long before');
		const bot = house.newBot();
		await bot.start();
		await say('now');
		await eventually(() => house.heard().includes('now'));
		expect(house.heard()).toEqual(['now']);
	});

	test('D11 two processes on one store hear each message once', async () => {
		await open();
		await Promise.all([house.newBot().start(), house.newBot().start()]);
		for (let index = 0; index < 10; index += 1) await say(`line ${index}`);
		await eventually(() => house.heard().length >= 10);
		await say('last');
		await eventually(() => house.heard().includes('last'));
		expect(house.heard()).toHaveLength(11);
		expect([...house.metrics.counts].filter(([name]) => name.includes('outcome=claimed'))).not.toEqual([]);
	});

	test('D11 OPS-14 a bus that is down loses nothing: the claim is given back and the channel read again', async () => {
		await open();
		const bot = house.newBot();
		await bot.start();
		await say('one');
		await eventually(() => house.heard().length === 1);
		house.bus.failWith(Object.assign(new Error('down'), { code: 'redis_unavailable' }));
		const lost = await say('two');
		await eventually(() => house.log.lines.some((line) => line.fields['messageId'] === lost.id));
		expect(house.claims.held.has(lost.id)).toBe(false);
		await say('three', 'sam');
		house.bus.failWith(undefined);
		await eventually(() => house.heard().length === 3);
		expect(house.heard()).toEqual(['one', 'two', 'three']);
	});

	test('D11 OPS-15 a process that died between claiming and publishing costs no message', async () => {
		await open();
		const first = house.newBot();
		await first.start();
		await say('one');
		await eventually(() => house.heard().length === 1);
		await first.stop();
		const orphan = await say('claimed and never published');
		await house.claims.claim(orphan.id);
		const second = house.newBot();
		await second.start();
		await eventually(isReady(second));
		await eventually(() => house.heard().length === 2);
		expect(house.heard()[1]).toBe('claimed and never published');
	});
});
