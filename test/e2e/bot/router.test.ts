import { afterEach, describe, expect, test } from 'vitest';
import { type BotHouse, type BotHouseOptions, createBotHouse } from '../../support/bot-house.ts';
import { eventually } from '../../support/fakes/eventually.ts';

let house: BotHouse;
const open = async (options: BotHouseOptions = {}) => {
	house = await createBotHouse(options);
	return house;
};
afterEach(() => house.close());

const say = (text: string, as = 'alex', more: object = {}) =>
	house.control.message({ as, channel: 'room', text, ...more });

describe('router', () => {
	test('OVR-2 a person’s line reaches the bus once, with room, names and who is meant', async () => {
		await open();
		await house.newBot().start();
		await say('@Majordomo see @sam in the room');
		await eventually(() => house.bus.messages.length === 1);
		const [message] = house.bus.messages;
		expect(message).toMatchObject({
			room: 'lab',
			author: { id: house.discord.people['alex'], name: 'Alex' },
			bot: false,
			source: 'discord',
			mentions: ['self', house.discord.people['sam']],
			text: '@Overseer see @Sam in the room',
		});
		expect(Math.abs((message?.at ?? 0) - Date.now())).toBeLessThan(60_000);
	});

	test('OVR-2 a reply to our own line is marked, a reply to a person is not', async () => {
		await open();
		await house.newBot().start();
		await house.bus.publish(house.botLine('b1', 'I am here.'));
		const own = await house.control.waitMessage({ channel: 'room', contains: 'I am here', after: '0' });
		const person = await say('hello', 'sam');
		await say('why?', 'alex', { replyTo: own.id });
		await say('sure', 'alex', { replyTo: person.id });
		await eventually(() => house.heard().length === 3);
		const replies = house.bus.messages.filter((message) => message.replyTo !== undefined);
		expect(replies.map((message) => message.replyTo)).toEqual([
			{ id: own.id, toBot: true },
			{ id: person.id, toBot: false },
		]);
		expect(replies[0]?.mentions).toEqual([]);
	});

	test('D04 own echoes and system messages are nothing, other bots are stored as bots', async () => {
		await open({ discord: { bots: [{ name: 'Majordomo' }, { name: 'Sibling' }] } });
		await house.newBot().start();
		const sibling = house.discord.bots['Sibling'];
		await house.bus.publish(house.botLine('b1', 'an own line'));
		await fetch(`${house.discord.restUrl}/v10/channels/${house.discord.channels['room']}/messages`, {
			method: 'POST',
			headers: { authorization: `Bot ${sibling?.token}`, 'content-type': 'application/json' },
			body: JSON.stringify({ content: 'The model returned no response.' }),
		});
		const seed = await say('pin me');
		await house.control.pin({ as: 'alex', message: seed.id });
		await say('Web and Android.');
		await eventually(() => house.heard().includes('Web and Android.'));
		const fromDiscord = house.bus.messages.filter((message) => message.source === 'discord');
		expect(fromDiscord.map(({ text, bot }) => ({ text, bot }))).toEqual([
			{ text: 'The model returned no response.', bot: true },
			{ text: 'pin me', bot: false },
			{ text: 'Web and Android.', bot: false },
		]);
	});

	test('D05 an edit is no new message', async () => {
		await open();
		await house.newBot().start();
		const first = await say('see https://example.org');
		await house.control.edit({ as: 'alex', message: first.id, text: 'actually no web app' });
		await say('second');
		await eventually(() => house.heard().includes('second'));
		expect(house.heard()).toEqual(['see https://example.org', 'second']);
	});

	test('D07 a message of files alone is told in words, one of nothing at all is dropped', async () => {
		await open();
		await house.newBot().start();
		await say('', 'alex', { attachments: [{ name: 'sketch.png', contentType: 'image/png', base64: 'AAAA' }] });
		await eventually(() => house.heard().length === 1);
		expect(house.heard()).toEqual(['[image: sketch.png]']);
	});

	test('D07 thirty empty messages in a row warn once, in log, health and admin channel', async () => {
		// The bot believes it gets content; the session it opened does not carry it.
		await open({ settings: { discord: { messageContent: false } } });
		const bot = house.newBot();
		await bot.start();
		house.change({ discord: { ...house.settings().discord, messageContent: true } });
		for (let index = 0; index < 31; index += 1) await say(`hidden ${index}`, index % 2 ? 'sam' : 'alex');
		await say('@Majordomo this one has text');
		await eventually(() => house.heard().length === 1);
		await eventually(() => bot.health().warnings.some((warning) => warning.includes('MESSAGE_CONTENT')));
		await eventually(async () =>
			(await house.posted('admin')).some((message) => message.text.includes('MESSAGE_CONTENT')),
		);
		const warned = house.log.lines.filter((line) => line.message.includes('MESSAGE_CONTENT'));
		expect(warned).toHaveLength(1);
	});

	test('OPS-13 without the message-content intent mentions and replies still come through', async () => {
		await open({ settings: { discord: { messageContent: false } } });
		await house.newBot().start();
		await house.bus.publish(house.botLine('b1', 'Yes?'));
		const own = await house.control.waitMessage({ channel: 'room', contains: 'Yes?', after: '0' });
		await say('nobody hears this');
		await say('@Majordomo lights off');
		await say('and the shelf', 'sam', { replyTo: own.id });
		await eventually(() => house.heard().length === 2);
		expect(house.heard()).toEqual(['@Overseer lights off', 'and the shelf']);
		const intents = (await house.control.state({})).bots[0]?.sessions[0]?.intents ?? 0;
		expect(intents & (1 << 15)).toBe(0);
	});

	test('messages outside the rooms are nobody’s business', async () => {
		await open();
		await house.newBot().start();
		await house.control.message({ as: 'alex', channel: 'fleet', text: 'private talk' });
		await say('in the room');
		await eventually(() => house.heard().length > 0);
		expect(house.heard()).toEqual(['in the room']);
	});
});
