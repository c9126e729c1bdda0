import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReasonCode } from '../../../core/tooling/facts.ts';
import { eventually } from '../../support/redis.ts';
import { openWatchedRoom, ROOM, type WatchedRoom } from '../../support/watched-room.ts';

let room: WatchedRoom;

beforeAll(async () => {
	room = await openWatchedRoom();
});
beforeEach(() => room.fresh());
afterAll(() => room.stop());

const control = () => room.house.home.control;
const THINKING_MS = 700;
const CLAIM = 'The bench lamp is off, I turned it off.';

/** The bench lamp is on and somebody asks for darkness; the model takes its time and is sure of itself. */
async function askForDarkness(): Promise<string> {
	control().act({ domain: 'light', service: 'turn_on', entityId: 'light.bench' });
	await eventually('the lamp is on', () => control().world().entities['light.bench']?.state === 'on');
	await new Promise((resolve) => setTimeout(resolve, 200));
	room.think(
		{
			mode: 'ACTION+CHAT',
			chat: CLAIM,
			calls: [{ tool: 'ha_set_entity', args: { entity_id: 'light.bench', state: 'off' } }],
		},
		{ delayMs: THINKING_MS },
	);
	const asked = await room.say('sam', 'overseer, bench lamp off please');
	await room.asked(1);
	expect(room.prompt(1)).toMatch(/available_tools:[\s\S]*ha_set_entity/);
	return asked;
}

const locks: readonly { name: string; code: ReasonCode; lock(): Promise<void> | void }[] = [
	{
		name: 'site mode admin',
		code: 'policy_lock:site_mode_admin',
		lock: () => room.stores.site.setMode('admin'),
	},
	{ name: 'lockdown', code: 'policy_lock:site_mode_lockdown', lock: () => room.stores.site.setMode('lockdown') },
	{
		name: 'lights locked on',
		code: 'policy_lock:lights_locked_on',
		lock: () => room.stores.site.setLightsLock('on'),
	},
	{
		name: 'lights locked off',
		code: 'policy_lock:lights_locked_off',
		lock: () => room.stores.site.setLightsLock('off'),
	},
	{ name: 'stage chat', code: 'stage', lock: () => room.stores.overrides.set(ROOM, { stage: 'chat' }) },
	{
		name: 'an entity that becomes unavailable',
		code: 'unavailable',
		lock: () => control().presence('light.bench', 'unavailable'),
	},
	{ name: 'an entity that is removed', code: 'unavailable', lock: () => control().presence('light.bench', 'removed') },
	{
		name: 'an entity that somebody else changed',
		code: 'stale',
		lock: () => {
			control().act({ domain: 'light', service: 'turn_on', entityId: 'light.bench', data: { brightness: 20 } });
		},
	},
];

test.each(locks)(
	'OVR-21 OVR-25 OVR-14 X03 $name while the model thinks: blocked with $code, no frame, nothing claimed',
	async ({ code, lock }) => {
		const asked = await askForDarkness();
		await lock();
		const answer = await room.answer(asked);
		const row = await room.row({ tool: 'ha_set_entity', step: 'blocked' });
		expect(row.reasons?.map((reason) => reason.code)).toContain(code);
		expect(row.summary).toContain('blocked at execution');
		expect(room.calls().filter((call) => call.includes('light.bench'))).toEqual([]);
		expect(answer.text).not.toMatch(/off/i);
		expect((await room.rows()).filter(({ step }) => step === 'running').map(({ tool }) => tool)).toEqual(['chat_say']);
	},
);

test('OVR-21 X03 several locks at once: every reason is kept', async () => {
	await askForDarkness();
	await room.stores.site.setMode('lockdown');
	await room.stores.site.setLightsLock('off');
	const row = await room.row({ tool: 'ha_set_entity', step: 'blocked' });
	expect(row.reasons?.map(({ code }) => code)).toEqual([
		'policy_lock:site_mode_lockdown',
		'policy_lock:lights_locked_off',
	]);
});

test('OVR-21 OVR-27 stage observe while the model thinks: what would have run is kept, nothing moves, nothing is said', async () => {
	const asked = await askForDarkness();
	await room.stores.overrides.set(ROOM, { stage: 'observe' });
	await room.row({ tool: 'ha_set_entity', step: 'dry_run' });
	await room.row({ tool: 'chat_say', step: 'dry_run' });
	await room.idle();
	expect(room.calls()).toEqual([]);
	expect(await room.house.discord.control.messages({ channel: 'room', author: 'Majordomo', after: asked })).toEqual([]);
});

test('OVR-21 OPS-18 paused while the model thinks: it is broken off, nothing moves or is said; afterwards it is done once', async () => {
	const asked = await askForDarkness();
	await room.stores.site.setPaused(true);
	await eventually('the model is not asked any more', () =>
		room.model.control.requests().every(({ outcome }) => outcome !== 'pending'),
	);
	await eventually('the decision waits', async () => {
		const { gate } = await room.stores.rooms.read(ROOM, { messages: 0, events: 0 });
		return !gate.inFlight && gate.pending !== undefined;
	});
	expect((await room.rows()).map(({ tool, step }) => `${tool} ${step}`)).toEqual([]);
	expect(room.calls()).toEqual([]);
	expect(await room.house.discord.control.messages({ channel: 'room', author: 'Majordomo', after: asked })).toEqual([]);
	await room.stores.site.setPaused(false);
	await room.row({ tool: 'ha_set_entity', step: 'confirmed' });
	await room.answer(asked);
	expect(room.calls().filter((call) => call.includes('light.bench'))).toHaveLength(1);
});

test('OVR-21 stage off while the model thinks: the call and the words are blocked', async () => {
	const asked = await askForDarkness();
	await room.stores.overrides.set(ROOM, { stage: 'off' });
	const row = await room.row({ tool: 'ha_set_entity', step: 'blocked' });
	expect(row.reasons?.map((reason) => reason.code)).toEqual(['stage']);
	await room.row({ tool: 'chat_say', step: 'blocked' });
	await eventually('the decision has ended', async () => {
		const { gate } = await room.stores.rooms.read(ROOM, { messages: 0, events: 0 });
		return !gate.inFlight;
	});
	expect(room.calls()).toEqual([]);
	expect(await room.house.discord.control.messages({ channel: 'room', author: 'Majordomo', after: asked })).toEqual([]);
});

test('OVR-21 OVR-30 voted quiet while the model thinks of something on its own: neither call nor word', async () => {
	room.think(
		{
			mode: 'ACTION+CHAT',
			chat: 'Darkness takes the corner.',
			calls: [{ tool: 'ha_set_entity', args: { entity_id: 'light.corner', state: 'off' } }],
		},
		{ delayMs: THINKING_MS },
	);
	const dare = await room.say('sam', 'bet you cannot scare me');
	await room.asked(1);
	const { authorId } = await eventually('sam is known', async () => {
		const { messages } = await room.stores.rooms.read(ROOM, { messages: 10, events: 0 });
		const line = messages.find(({ id }) => id === dare);
		return line && { authorId: line.author.id };
	});
	await room.stores.votes.set(ROOM, authorId, 'no');
	for (const { id } of (await room.house.discord.control.state({})).people) await room.stores.votes.set(ROOM, id, 'no');
	const row = await room.row({ tool: 'ha_set_entity', step: 'blocked' });
	expect(row.reasons?.map(({ code }) => code)).toContain('vote');
	await room.row({ tool: 'chat_say', step: 'blocked' });
	expect(room.calls()).toEqual([]);
	expect(await room.house.discord.control.messages({ channel: 'room', author: 'Majordomo', after: dare })).toEqual([]);
});

test('OVR-30 a vote leaves the person who asks their answer, and blocks the deed', async () => {
	const asked = await askForDarkness();
	for (const { id } of (await room.house.discord.control.state({})).people) await room.stores.votes.set(ROOM, id, 'no');
	const answer = await room.answer(asked);
	const row = await room.row({ tool: 'ha_set_entity', step: 'blocked' });
	expect(row.reasons?.map(({ code }) => code)).toEqual(['vote']);
	expect(answer.text).not.toMatch(/off/i);
});
