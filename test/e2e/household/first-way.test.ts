import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestHousehold, type TestHousehold } from '../../support/household.ts';
import { eventually } from '../../support/redis.ts';

let home: TestHousehold;

beforeAll(async () => {
	home = await openTestHousehold({
		change: (settings) => {
			// No heartbeat may answer in the place of what is tested.
			settings.overseer.gate.heartbeatMs = 600_000;
			settings.overseer.cooldowns.lightMs = 0;
		},
	});
});
beforeEach(() => {
	home.model.control.reset();
});
afterAll(() => home.stop());

const lamp = () => home.house.home.control.world().entities['light.shelf']?.state;

test('OVR-7 OVR-17 OVR-19 a sentence in Discord switches the lamp in the house and is answered in the channel', async () => {
	home.house.home.control.act({ domain: 'light', service: 'turn_on', entityId: 'light.shelf' });
	const before = home.house.home.control.actions()['light.shelf'] ?? 0;
	const asked = await home.say('alex', 'overseer, turn the shelf lamp off');
	const answer = await home.answer(asked);
	expect(answer.text).not.toBe('');
	expect(lamp()).toBe('off');
	expect(home.house.home.control.actions()['light.shelf']).toBe(before + 1);
});

test('OVR-9 OVR-11 the model is shown state, talk and tools in the fixed order', async () => {
	const asked = await home.say('sam', 'overseer, how is the lift?');
	await home.answer(asked);
	const body = home.model.control.requests().at(-1)?.body as { messages: { role: string; content: string }[] };
	const contents = body.messages.map(({ content }) => content);
	expect(body.messages[0]?.role).toBe('system');
	expect(contents[0]).toContain('You are Overseer');
	expect(contents[1]).toMatch(/^STATE_UPDATE\ntime: .*\ntrigger: direct_address\n/);
	expect(contents.find((line) => line.startsWith('Sam: '))).toContain('how is the lift?');
	expect(contents.at(-2)).toMatch(/^available_tools:\n/);
	expect(contents.at(-1)).toMatch(/^blocked_tools:/);
});

test('OVR-4 a message is decided on once, however often the gate looks', async () => {
	const asked = await home.say('sam', 'overseer, hello there');
	await home.answer(asked);
	await new Promise((resolve) => setTimeout(resolve, 2 * home.settings.overseer.gate.tickMs + 500));
	expect(home.model.control.requests()).toHaveLength(1);
});

test('OVR-21 OVR-12 a lock that is set while the model thinks blocks the call and nothing claims it was done', async () => {
	home.model.control.queue({
		kind: 'json',
		value: {
			mode: 'ACTION+CHAT',
			chat: 'The bench lamp is off.',
			calls: [{ tool: 'ha_set_entity', args: { entity_id: 'bench', state: 'off' } }],
		},
		delayMs: 1_500,
	});
	const before = home.house.home.control.actions()['light.bench'] ?? 0;
	const asked = await home.say('sam', 'overseer, bench lamp off please');
	await eventually('the model is asked', () => home.model.control.requests().length === 1);
	await home.house.discord.control.command({
		as: 'alex',
		channel: 'admin',
		command: 'admin lights-lock',
		options: { value: 'on' },
	});
	const answer = await home.answer(asked);
	expect(home.house.home.control.actions()['light.bench'] ?? 0).toBe(before);
	expect(answer.text).not.toMatch(/is off/);
	await home.house.discord.control.command({
		as: 'alex',
		channel: 'admin',
		command: 'admin lights-lock',
		options: { value: 'none' },
	});
});

test('OVR-7 a dead model gets the person one honest line, and only one a minute', async () => {
	home.model.control.always({ kind: 'error', status: 503 });
	const asked = await home.say('sam', 'overseer, are you there?');
	const answer = await home.answer(asked);
	expect(answer.text).toContain('out of reach');
	expect(answer.replyTo?.id).toBe(asked);
	const lines = (await home.botLines()).length;
	await home.say('alex', 'overseer, and now?');
	await eventually('asked again', () => home.model.control.requests().length >= 2);
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	expect(await home.botLines()).toHaveLength(lines);
});

test('OVR-16 a call posts nothing by itself; with showActions one small line worded by code', async () => {
	const act = async (state: 'on' | 'off') => {
		const before = home.house.home.control.calls().length;
		const lines = (await home.botLines()).length;
		home.model.control.reset();
		home.model.control.always({
			kind: 'json',
			value: { mode: 'ACTION', calls: [{ tool: 'ha_set_entity', args: { entity_id: 'aux1', state } }] },
		});
		// A hazard is no address: nobody is owed an answer.
		home.house.home.control.poke({ kind: 'bump', rover: 'rover3' });
		await eventually('the call', () => home.house.home.control.calls().length > before);
		await new Promise((resolve) => setTimeout(resolve, 1_500));
		return (await home.botLines()).slice(lines);
	};
	expect(await act('on')).toEqual([]);
	home.settings.overseer.chat.showActions = true;
	home.house.home.control.advance(10_000);
	await new Promise((resolve) => setTimeout(resolve, 6_000));
	expect(await act('off')).toEqual(['-# aux1 is off']);
	home.settings.overseer.chat.showActions = false;
});
