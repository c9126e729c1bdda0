import { describe, expect, test } from 'vitest';
import { chatWindow } from '../../../../core/chat/window.ts';
import { commentaryState, readCommentary } from '../../../../core/overseer/commentary.ts';
import { normaliseDecision } from '../../../../core/overseer/normalise.ts';
import { readPeople } from '../../../../core/overseer/people.ts';
import { OPEN_SITE } from '../../../../core/overseer/site.ts';
import { stateUpdate } from '../../../../core/overseer/state-update.ts';
import type { LightView } from '../../../../core/overseer/world.ts';
import type { Availability } from '../../../../core/tooling/facts.ts';
import { createScript } from '../../../../demo/model/script/script.ts';
import { renderCommentaryMessages } from '../../../../prompts/commentary/messages.ts';
import { decisionSchema } from '../../../../prompts/overseer/decision-schema.ts';
import { type FollowUp, renderOverseerMessages } from '../../../../prompts/overseer/messages.ts';
import { line, settingsOf, T0, worldOf } from '../../core/overseer/room-fixture.ts';
import { shippedPrompts } from '../../prompts/prompt-files.ts';

const settings = settingsOf({ name: 'Dr. Gloom', aliases: ['gloom'] });
const texts = shippedPrompts();
const NOW = T0 + 60_000;

const lamp = (entityId: string, label: string, state: 'on' | 'off', color?: string): LightView => ({
	entityId,
	label,
	show: color === undefined ? 'state' : 'color',
	state,
	available: true,
	colorModes: color === undefined ? ['onoff'] : ['rgb'],
	...(color === undefined ? {} : { color }),
});

const world = worldOf({
	rovers: [{ id: 'rover1', driving: true, driver: 'kim', docked: false, available: true }],
	lift: { position: 'down', busy: false, available: true },
	neato: { connected: true, state: 'docked', charging: true, canClearErrors: true },
	lights: [lamp('switch.shelf_outlet', 'shelf lamp', 'on'), lamp('light.strip', 'strip', 'on', 'red')],
	scripts: [{ entityId: 'script.film_night', label: 'film night', available: true }],
});
const ALL = [
	...(['chat_say', 'lift_up', 'lift_down', 'neato_start', 'neato_send_home', 'ha_set_entity', 'ha_set_light'] as const),
	...(['ha_run_script', 'memory_read', 'memory_write'] as const),
];

/** The whole way: the product's own prompt, the script, the product's own reading of the answer. */
function decide(text: string, more: { availability?: Availability; followUp?: FollowUp; addressed?: boolean } = {}) {
	const messages = [line(1, 0, 'sam', 'the floor is lava'), line(2, 55, 'kim', text)];
	const availability = more.availability ?? { available: ALL, blocked: [] };
	const addressed = more.addressed ?? true;
	const address = { messageId: 'm2', authorId: 'id-kim', authorName: 'kim', at: NOW };
	const state = stateUpdate({
		now: NOW,
		settings,
		decision: { trigger: addressed ? 'direct_address' : 'heartbeat', addresses: addressed ? [address] : [] },
		world,
		site: OPEN_SITE,
		readyAt: {},
		people: readPeople(messages, world, NOW, settings),
	});
	const prompt = renderOverseerMessages({
		texts,
		settings,
		state,
		window: chatWindow({ messages, now: NOW, limits: settings.window }),
		availability,
		followUp: more.followUp,
	});
	const schema = decisionSchema(availability, world).json;
	const answer = createScript()({
		system: prompt[0]?.content ?? '',
		messages: prompt.slice(1),
		schema,
		tools: [],
	});
	const structured: unknown = JSON.parse(answer.text);
	const allowed = Object.keys((schema as { properties: object }).properties);
	expect(Object.keys(structured as object).sort()).toEqual(allowed.sort());
	return normaliseDecision({ text: answer.text, structured, calls: [], stop: 'end' }, settings);
}

describe('the script on the prompts that are really sent', () => {
	test.each([
		['gloom, turn the shelf lamp off', { tool: 'ha_set_entity', args: { entity_id: 'shelf lamp', state: 'off' } }],
		['Dr. Gloom, lights purple please', { tool: 'ha_set_light', args: { entity_id: 'strip', color: 'purple' } }],
		['gloom start the film night', { tool: 'ha_run_script', args: { script: 'film night' } }],
		['gloom lift up', { tool: 'lift_up', args: {} }],
		['gloom start the vacuum', { tool: 'neato_start', args: {} }],
		['gloom what do you remember?', { tool: 'memory_read', args: {} }],
	])('%s', (text, call) => {
		const decision = decide(text);
		expect(decision.calls).toEqual([call]);
		expect(decision.notes).toEqual([]);
	});

	test('X04 questions are answered from the state', () => {
		expect(decide('gloom, is the shelf lamp on?')).toMatchObject({
			mode: 'CHAT',
			calls: [],
			chat: 'The shelf lamp light is on.',
		});
		expect(decide('Dr. Gloom, who are you?').chat).toMatch(/^Dr\. Gloom/);
		expect(decide('gloom who is driving?').chat).toMatch(/kim has rover1/);
	});

	test('OVR-20 a lamp without colours is left alone', () => {
		expect(decide('gloom make the shelf lamp blue')).toMatchObject({ mode: 'CHAT', calls: [] });
	});

	test('OVR-12 blocked tools are explained with the reason given', () => {
		const blocked = [{ tool: 'lift_up' as const, reasons: [{ code: 'cooldown' as const, remainingMs: 11_400 }] }];
		const decision = decide('gloom lift up', { availability: { available: ['chat_say', 'lift_down'], blocked } });
		expect(decision).toMatchObject({ mode: 'CHAT', calls: [], chat: expect.stringContaining('12 seconds') });
	});

	test('the memory that was read is told, and an insisted answer is given', () => {
		const result = '1: kim likes red | 2: (empty) | 3: (empty)';
		expect(decide('gloom what do you remember?', { followUp: { kind: 'memory', result } }).chat).toContain(
			'kim likes red',
		);
		expect(decide('hm', { addressed: false, followUp: { kind: 'demand' } }).mode).toBe('CHAT');
	});

	test('where it may not speak it is silent, and the answer still follows the schema', () => {
		const mute = { availability: { available: ['lift_up' as const], blocked: [] } };
		expect(decide('gloom hello', mute).mode).toBe('SKIP');
		expect(decide('gloom lift up', mute)).toMatchObject({ mode: 'ACTION', calls: [{ tool: 'lift_up' }] });
	});
});

test('OVR-28 the commentator gets a line when something happened or somebody asked, else silence', () => {
	const say = (eventTexts: string[], addressed: boolean) => {
		const messages = [line(1, 55, 'kim', 'gloom, how is my driving?')];
		const addresses = addressed ? [{ messageId: 'm1', authorId: 'id-kim', authorName: 'kim', at: NOW }] : [];
		const decision = { trigger: addressed ? ('direct_address' as const) : ('world_event' as const), addresses };
		const people = readPeople(messages, world, NOW, settings);
		const prompt = renderCommentaryMessages({
			texts,
			settings,
			state: commentaryState({ now: NOW, settings, decision, world, people, eventTexts }),
			window: chatWindow({ messages, now: NOW, limits: settings.window }),
		});
		const { text } = createScript()({ system: prompt[0]?.content ?? '', messages: prompt.slice(1), tools: [] });
		return readCommentary({ text, calls: [], stop: 'end' }, settings).chat;
	};
	expect(say(['rover1 docked'], false)).toMatch(/^rover1 docked/);
	expect(say([], true)).toMatch(/kim/);
	expect(say([], false)).toBeUndefined();
});
