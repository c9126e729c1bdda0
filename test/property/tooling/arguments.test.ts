import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roomEntityIds } from '../../../config/rooms.ts';
import { prepareCall } from '../../../core/tooling/prepare.ts';
import { toolArguments } from '../../../core/tooling/tool-arguments.ts';
import { TOOL_NAMES } from '../../../core/tooling/tool-name.ts';
import { createExecutor } from '../../../tools/executor.ts';
import { calmWorld } from '../../unit/core/tooling/facts.ts';
import { createHouse, sampleRoom, sampleSettings } from '../../unit/tools/support/house.ts';

const room = sampleRoom();
const lampIds = room.lights.map((light) => light.entityId);

/** Words that are nearly right, and things that aim beyond the room. */
const word = fc.oneof(
	fc.constantFrom(
		'light.shelf',
		'shelf',
		'bench lamp',
		'all',
		'lock.front',
		'light.*',
		'group.all_lights',
		'cover.lift',
	),
	fc.constantFrom(
		'script.movie',
		'scene.away',
		'light.shelf,lock.front',
		'__proto__',
		'constructor',
		'on',
		'2',
		'50%',
		'red',
	),
	fc.string({ unit: 'binary' }),
);
const value = fc.oneof({ weight: 3, arbitrary: word }, fc.jsonValue(), fc.array(word, { maxLength: 3 }), fc.integer());
const key = fc.oneof(
	fc.constantFrom(
		'entity_id',
		'entityId',
		'state',
		'color',
		'brightness',
		'script',
		'slot',
		'text',
		'button',
		'amount',
	),
	fc.constantFrom('area_id', 'device_id', 'target', 'kelvin', '__proto__', 'service'),
	fc.string(),
);
const object = fc.dictionary(key, value, { maxKeys: 5 });
const raw = fc.oneof(
	{ weight: 4, arbitrary: object },
	object.map((item) => JSON.stringify(item)),
	object.map((item) => JSON.stringify(JSON.stringify(item))),
	object.map((item) => JSON.stringify(item).slice(0, -3)),
	fc.anything(),
);
const tool = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...TOOL_NAMES) }, fc.string());

describe('arguments, whatever a model writes', () => {
	test('OVR-20 OVR-26 what is accepted is exact and inside the allowlist; the rest is a refusal, never a throw', () => {
		const scene = { room, world: calmWorld, settings: sampleSettings };
		let accepted = 0;
		fc.assert(
			fc.property(tool, raw, (name, args) => {
				const result = prepareCall(name, args, scene);
				if (!result.ok) {
					expect(result.summary).not.toMatch(/\p{Cc}/u);
					return;
				}
				accepted += 1;
				const { call } = result;
				expect(toolArguments[call.tool].safeParse(call.args).success).toBe(true);
				if ('entity_id' in call.args) expect(lampIds).toContain(call.args.entity_id);
				if ('script' in call.args) expect(call.args.script).toBe('script.movie');
			}),
			{ numRuns: 3_000 },
		);
		expect(accepted).toBeGreaterThan(100);
	});

	test('OVR-17 OVR-18 OVR-20 no command ever leaves for an entity outside the room, nor for an unknown service', async () => {
		const services = new Set(['turn_on', 'turn_off', 'open_cover', 'close_cover', 'start', 'return_to_base', 'locate']);
		for (const service of ['press', 'set_value', 'pause']) services.add(service);
		let sent = 0;
		await fc.assert(
			fc.asyncProperty(tool, raw, async (name, args) => {
				const house = createHouse();
				house.home.set('lock.front', 'locked');
				await createExecutor(house.deps).execute(house.request(name, args));
				sent += house.home.heard.length;
				for (const request of house.home.heard) {
					expect(roomEntityIds(room)).toContain(request.entityId);
					expect(services).toContain(request.service);
					expect(request.domain).toBe(request.entityId.split('.')[0]);
				}
			}),
			{ numRuns: 600 },
		);
		expect(sent).toBeGreaterThan(20);
	});
});
