import { describe, expect, test } from 'vitest';
import { computeAvailability } from '../../../../core/tooling/availability.ts';
import {
	argumentSchema,
	availableLine,
	blockedLine,
	describeTool,
	signatureOf,
} from '../../../../core/tooling/describe.ts';
import { TOOL_NAMES } from '../../../../core/tooling/tool-name.ts';
import { sampleRoom, sampleSettings } from '../../tools/support/house.ts';
import { calmWorld, factsOf, NOW } from './facts.ts';

const room = sampleRoom();

describe('tool lines of the prompt', () => {
	test('OVR-9 OVR-12 the canonical blocks come out line for line', () => {
		const plain = {
			...room,
			scripts: [],
			buttonBoxEntityIds: undefined,
			lights: room.lights.filter((light) => light.entityId.startsWith('switch.')),
		};
		const lights = calmWorld.lights.filter((light) => light.entityId.startsWith('switch.'));
		const neato = { ...calmWorld.neato!, charging: true };
		const facts = factsOf({ readyAt: { neato: NOW + 11_500 }, world: { ...calmWorld, lights, neato } });
		const { available, blocked } = computeAvailability(facts, plain, sampleSettings);
		expect(available.map(availableLine)).toEqual([
			'- chat_say(text)',
			'- lift_up()',
			'- lift_down()',
			'- ha_set_entity(entity_id, state)',
			'- memory_read()',
			'- memory_write(slot, text)',
		]);
		expect(blocked.map(blockedLine)).toEqual([
			'- neato_start() reason=cooldown remaining=12s',
			'- neato_send_home() reason=cooldown remaining=12s',
			'- neato_locate() reason=cooldown remaining=12s',
			'- neato_clear_errors() reason=cooldown remaining=12s',
		]);
	});

	test('OVR-12 H05 unavailable says why, locks say which, and only the most weighty reason is printed', () => {
		expect(blockedLine({ tool: 'lift_up', reasons: [{ code: 'unavailable', detail: 'not_found' }] })).toBe(
			'- lift_up() reason=unavailable:not_found',
		);
		expect(
			blockedLine({
				tool: 'ha_set_entity',
				reasons: [{ code: 'policy_lock:lights_locked_on' }, { code: 'cooldown', remainingMs: 1 }],
			}),
		).toBe('- ha_set_entity(entity_id, state) reason=policy_lock:lights_locked_on');
	});

	test('X04 the words for switching say that looking is not switching', () => {
		expect(describeTool('ha_set_entity')).toMatch(/STATE_UPDATE/);
	});
});

describe('argument schemas', () => {
	const schema = (tool: (typeof TOOL_NAMES)[number], world = calmWorld) =>
		argumentSchema(tool, room, world, sampleSettings);

	test('OVR-12 OVR-13 only entities that can be reached are in the enum', () => {
		const [shelf, ...others] = calmWorld.lights;
		const world = { ...calmWorld, lights: [{ ...shelf!, available: false }, ...others] };
		expect(schema('ha_set_entity', world)).toMatchObject({
			properties: { entity_id: { enum: ['light.bench', 'switch.corner'] } },
			required: ['entity_id', 'state'],
			additionalProperties: false,
		});
		expect(schema('ha_set_light')).toMatchObject({
			properties: { entity_id: { enum: ['light.shelf'] } },
			required: ['entity_id'],
		});
		expect(schema('button_box_adjust')).toMatchObject({ properties: { button: { enum: [1, 2] } } });
	});

	test('OVR-13 every tool has one, made only of what strict modes take, with the names of its signature', () => {
		for (const tool of TOOL_NAMES) {
			const text = JSON.stringify(schema(tool));
			expect(text).not.toMatch(/"(pattern|oneOf|anyOf|minimum|maximum|minLength|maxLength|\$ref)"/);
			const names = Object.keys((schema(tool)['properties'] ?? {}) as object).join(', ');
			expect(signatureOf(tool).replaceAll('?', '')).toBe(`${tool}(${names})`);
		}
	});
});
