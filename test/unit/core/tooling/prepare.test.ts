import { describe, expect, test } from 'vitest';
import { shortenArguments } from '../../../../core/tooling/decode-arguments.ts';
import { type Preparation, prepareCall } from '../../../../core/tooling/prepare.ts';
import { sampleRoom, sampleSettings } from '../../tools/support/house.ts';
import { calmWorld } from './facts.ts';

const scene = { room: sampleRoom(), world: calmWorld, settings: sampleSettings };
const prepare = (tool: string, raw?: unknown) => prepareCall(tool, raw, scene);
const argsOf = (result: Preparation) => (result.ok ? result.call.args : `${result.code}: ${result.summary}`);
const codeOf = (result: Preparation) => (result.ok ? `accepted ${JSON.stringify(result.call.args)}` : result.code);
const set = (entity_id: unknown, state: unknown = 'on') => prepare('ha_set_entity', { entity_id, state });

describe('raw arguments', () => {
	const wanted = { entity_id: 'light.bench', state: 'off' };

	test('O01 a JSON string and a JSON string in a JSON string are the same object', () => {
		const once = JSON.stringify(wanted);
		expect(argsOf(prepare('ha_set_entity', once))).toEqual(wanted);
		expect(argsOf(prepare('ha_set_entity', JSON.stringify(once)))).toEqual(wanted);
		expect(codeOf(prepare('ha_set_entity', JSON.stringify(JSON.stringify(once))))).toBe('invalid_args');
	});

	test('O01 broken JSON is refused, never mended and never run with less', () => {
		expect(codeOf(prepare('ha_set_entity', '{"entity_id":"light.bench","state":'))).toBe('invalid_args');
		expect(codeOf(prepare('lift_up', '{"really":'))).toBe('invalid_args');
	});

	test.each([
		['""', ''],
		['null', null],
		['nothing', undefined],
		['{}', {}],
		['"{}"', '{}'],
	])('O01 %s is fine for a tool without arguments', (_name, raw) => {
		expect(argsOf(prepare('lift_up', raw))).toEqual({});
	});

	test.each([[[]], [['light.bench']], [7], [true]])('O01 %j is no argument list', (raw) => {
		expect(codeOf(prepare('lift_up', raw))).toBe('invalid_args');
	});

	test('OVR-20 unknown keys are dropped with a note, keys that aim wide refuse the call', () => {
		const result = prepare('ha_set_entity', { ...wanted, transition: 5, brightness: 3 });
		expect(result).toMatchObject({
			ok: true,
			call: { args: wanted },
			notes: ['dropped "transition"', 'dropped "brightness"'],
		});
		for (const key of ['area_id', 'device_id', 'target', 'entity_ids', 'scene', 'Area ID']) {
			expect(codeOf(prepare('ha_set_entity', { ...wanted, [key]: 'kitchen' }))).toBe('not_allowed');
		}
	});

	test('OVR-20 spellings of a key are understood, two that disagree are not', () => {
		expect(argsOf(prepare('ha_set_entity', { entityId: 'light.bench', State: 'OFF' }))).toEqual(wanted);
		expect(codeOf(prepare('ha_set_entity', { ...wanted, entityId: 'light.shelf' }))).toBe('invalid_args');
	});

	test('O10 refused arguments are kept short and escaped', () => {
		const text = shortenArguments({ a: `x\u0000\u202e\n${'y'.repeat(500)}` });
		expect(text.length).toBeLessThanOrEqual(201);
		expect(text).toMatch(/\\u0000/);
		expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
		const circular: Record<string, unknown> = {};
		circular['self'] = circular;
		expect(shortenArguments(circular)).toBe('[not printable]');
	});
});

describe('entities', () => {
	test.each([
		['light.shelf', 'light.shelf'],
		['LIGHT.Shelf ', 'light.shelf'],
		['shelf', 'light.shelf'],
		['Bench Lamp', 'light.bench'],
		['bench_lamp', 'light.bench'],
		['shelf rgb bulb', 'light.shelf'],
		['corner', 'switch.corner'],
	])('OVR-20 %j is %s', (given, entityId) => {
		expect(argsOf(set(given))).toEqual({ entity_id: entityId, state: 'on' });
	});

	test.each([
		['all', 'not_allowed'],
		['lock.front', 'not_allowed'],
		['switch.shelf', 'not_allowed'],
		['light.workbench', 'not_allowed'],
		['cover.lift', 'not_allowed'],
		['script.movie', 'not_allowed'],
		['light.shelf, light.bench', 'not_allowed'],
		['shel', 'not_allowed'],
		['', 'invalid_args'],
		[['light.shelf', 'lock.front'], 'invalid_args'],
		[['light.shelf'], 'invalid_args'],
		[1.5e18, 'invalid_args'],
		[{ id: 'light.shelf' }, 'invalid_args'],
		['light.k\u0000fcche', 'invalid_args'],
		['light.shelf\n', 'invalid_args'],
	])('OVR-20 H04 H05 O10 %j is refused as %s', (given, code) => {
		expect(codeOf(set(given))).toBe(code);
	});

	test('OVR-20 a refusal names what would be right, with configured words only', () => {
		const result = set('light.workbench');
		expect(result).toMatchObject({ ok: false, summary: expect.stringContaining('light.bench (bench lamp)') });
		expect(JSON.stringify(result)).not.toContain('RGB bulb');
	});

	test('OVR-20 two that fit are ambiguous, and both are named', () => {
		const lights = calmWorld.lights.map((light) => ({ ...light, friendlyName: 'Lamp' }));
		const result = prepareCall(
			'ha_set_entity',
			{ entity_id: 'lamp', state: 'on' },
			{ ...scene, world: { ...calmWorld, lights } },
		);
		expect(result).toMatchObject({ code: 'ambiguous', summary: expect.stringMatching(/light\.shelf.*light\.bench/) });
	});

	test('OVR-20 H05 a lamp that calls itself by the id of something else does not answer to it', () => {
		const lights = calmWorld.lights.map((light, index) =>
			index === 0 ? { ...light, friendlyName: 'lock.front' } : light,
		);
		const result = prepareCall(
			'ha_set_entity',
			{ entity_id: 'lock.front', state: 'on' },
			{ ...scene, world: { ...calmWorld, lights } },
		);
		expect(codeOf(result)).toBe('not_allowed');
	});

	test('OVR-20 a lamp that calls itself all is still not everything', () => {
		const lights = calmWorld.lights.map((light, index) => (index === 0 ? { ...light, friendlyName: 'all' } : light));
		const result = prepareCall(
			'ha_set_entity',
			{ entity_id: 'all', state: 'off' },
			{ ...scene, world: { ...calmWorld, lights } },
		);
		expect(codeOf(result)).toBe('not_allowed');
	});

	test('OVR-17 OVR-20 a script is found by its label, and only scripts are', () => {
		expect(argsOf(prepare('ha_run_script', { script: 'Movie Night' }))).toEqual({ script: 'script.movie' });
		expect(codeOf(prepare('ha_run_script', { script: 'light.shelf' }))).toBe('not_allowed');
		const room = { ...scene.room, scripts: [{ entityId: 'scene.movie', label: 'movie night' }] };
		expect(codeOf(prepareCall('ha_run_script', { script: 'scene.movie' }, { ...scene, room }))).toBe('not_allowed');
	});
});

describe('values', () => {
	test.each([
		['on', 'on'],
		['ON ', 'on'],
		[true, 'on'],
		['true', 'on'],
		['Off', 'off'],
		[false, 'off'],
	])('OVR-20 H04 state %j is %s', (given, state) => {
		expect(argsOf(set('shelf', given))).toMatchObject({ state });
	});

	test.each([['50%'], ['toggle'], ['unavailable'], [['on']], [1], [{}], [undefined]])(
		'H04 state %j is refused',
		(given) => {
			expect(codeOf(prepare('ha_set_entity', { entity_id: 'shelf', state: given }))).toBe('invalid_args');
		},
	);

	test('O01 slot "2" is 2; "2abc", 4, 0 and 1.5 are refused', () => {
		expect(argsOf(prepare('memory_write', { slot: '2', text: 'sam likes dark' }))).toEqual({
			slot: 2,
			text: 'sam likes dark',
		});
		for (const slot of ['2abc', 4, 0, 1.5, '', null, [2]]) {
			expect(codeOf(prepare('memory_write', { slot, text: 'x' }))).toBe('invalid_args');
		}
	});

	test('OVR-26 O10 a note is one line of at most 180 characters, kept as it is', () => {
		const write = (text: unknown) => prepare('memory_write', { slot: 1, text });
		expect(argsOf(write('Tom &amp; Jerry'))).toMatchObject({ text: 'Tom &amp; Jerry' });
		expect(argsOf(write('brace } in text'))).toMatchObject({ text: 'brace } in text' });
		expect(argsOf(write('😀'.repeat(180)))).toMatchObject({ slot: 1 });
		for (const text of ['x'.repeat(181), 'two\nlines', 'bell\u0007', 'line\u2028break', '', '   ', 5]) {
			expect(codeOf(write(text))).toBe('invalid_args');
		}
	});

	test('OVR-17 H04 light: percent within bounds, colours by name, number or temperature', () => {
		const light = (more: object) => prepare('ha_set_light', { entity_id: 'shelf', ...more });
		expect(argsOf(light({ brightness: '50%', colour: 'Red' }))).toEqual({
			entity_id: 'light.shelf',
			brightness: 50,
			color: { rgb: [255, 0, 0] },
		});
		expect(argsOf(light({ color: '#0f8' }))).toMatchObject({ color: { rgb: [0, 255, 136] } });
		expect(argsOf(light({ rgb_color: [1, 2, 3] }))).toMatchObject({ color: { rgb: [1, 2, 3] } });
		expect(argsOf(light({ color: 'warm_white' }))).toMatchObject({ color: { kelvin: 2_700 } });
		expect(argsOf(light({ color_temp_kelvin: 3_000 }))).toMatchObject({ color: { kelvin: 3_000 } });
		for (const more of [{}, { brightness: 0 }, { brightness: 101 }, { brightness: 'bright' }, { color: 'plaid' }]) {
			expect(codeOf(light(more))).toBe('invalid_args');
		}
		for (const more of [{ kelvin: 500 }, { color_temp: 370 }, { color: [256, 0, 0] }, { color: 'constructor' }]) {
			expect(codeOf(light(more))).toBe('invalid_args');
		}
	});

	test('H04 a lamp is told only what it can do', () => {
		const withModes = (colorModes: string[]) => ({
			...scene,
			world: { ...calmWorld, lights: [{ ...calmWorld.lights[0]!, colorModes }] },
		});
		const ask = (modes: string[], more: object) =>
			prepareCall('ha_set_light', { entity_id: 'shelf', ...more }, withModes(modes));
		expect(codeOf(ask(['onoff'], { brightness: 50 }))).toBe('invalid_args');
		expect(codeOf(ask(['onoff'], { color: 'warm_white' }))).toBe('invalid_args');
		expect(codeOf(ask(['brightness'], { color: 'red' }))).toBe('invalid_args');
		expect(codeOf(ask(['color_temp'], { color: 'red' }))).toBe('invalid_args');
		expect(codeOf(ask(['rgb'], { color: '2700K' }))).toBe('invalid_args');
		expect(argsOf(ask(['rgb'], { color: 'warm white' }))).toMatchObject({ color: { rgb: [255, 214, 170] } });
	});

	test('OVR-17 the button box knows its buttons and its largest step', () => {
		const adjust = (button: unknown, amount: unknown) => prepare('button_box_adjust', { button, amount });
		expect(argsOf(adjust('2', '-3'))).toEqual({ button: 2, amount: -3 });
		expect(codeOf(adjust(3, 1))).toBe('not_allowed');
		for (const amount of [6, -6, 0, 1.5, 'many']) expect(codeOf(adjust(1, amount))).toBe('invalid_args');
	});
});
