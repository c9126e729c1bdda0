import { describe, expect, test } from 'vitest';
import { createExecutor } from '../../../tools/executor.ts';
import { createHouse, sampleSettings } from './support/house.ts';

type House = ReturnType<typeof createHouse>;
const run = (house: House, tool: string, args: unknown) =>
	createExecutor(house.deps).execute(house.request(tool, args));

describe('lamps', () => {
	test('OVR-17 H04 brightness and one colour form are sent, and seen within what lamps round', async () => {
		const house = createHouse();
		const outcome = await run(house, 'ha_set_light', { entity_id: 'shelf', brightness: '40%', color: 'red' });
		expect(house.home.heard[0]).toMatchObject({
			domain: 'light',
			service: 'turn_on',
			entityId: 'light.shelf',
			data: { brightness_pct: 40, rgb_color: [255, 0, 0] },
		});
		expect(outcome).toMatchObject({ kind: 'confirmed', summary: 'shelf is at 40 %, rgb 255 0 0' });
	});

	test('H04 a temperature goes by kelvin only and stays within the lamp', async () => {
		const house = createHouse();
		await run(house, 'ha_set_light', { entity_id: 'shelf', kelvin: 1_600 });
		expect(house.home.heard[0]?.data).toEqual({ color_temp_kelvin: 2_200 });
	});

	test('OVR-19 another colour than the one asked for is unconfirmed', async () => {
		const house = createHouse();
		house.home.answer = () => {
			house.home.set('light.shelf', 'on', { rgb_color: [0, 0, 255] });
			return { result: { kind: 'ok', contextId: 'ctx1' }, effect: false };
		};
		expect(await run(house, 'ha_set_light', { entity_id: 'shelf', color: 'red' })).toMatchObject({
			kind: 'unconfirmed',
		});
	});

	test('OVR-18 an outlet is switched in its own domain', async () => {
		const house = createHouse();
		expect(await run(house, 'ha_set_entity', { entity_id: 'corner', state: false })).toMatchObject({
			kind: 'confirmed',
		});
		expect(house.home.heard).toMatchObject([{ domain: 'switch', service: 'turn_off', entityId: 'switch.corner' }]);
	});
});

describe('scripts and counters', () => {
	test('OVR-17 OVR-19 a script is done when it started anew, not when it runs anyway', async () => {
		const house = createHouse();
		expect(await run(house, 'ha_run_script', { script: 'Movie Night' })).toMatchObject({ kind: 'confirmed' });
		house.time.advance(60_000);
		house.home.inert.add('script.movie');
		const again = house.request(
			'ha_run_script',
			{},
			{ call: { id: 'c2', tool: 'ha_run_script', args: { script: 'movie' } } },
		);
		expect(await createExecutor(house.deps).execute(again)).toMatchObject({ kind: 'unconfirmed' });
	});

	test('OVR-17 the button box sets an absolute number within its bounds', async () => {
		const house = createHouse();
		expect(await run(house, 'button_box_adjust', { button: '1', amount: 2 })).toMatchObject({
			kind: 'confirmed',
			summary: 'button 1 is at 6',
		});
		expect(house.home.heard).toMatchObject([
			{ service: 'set_value', entityId: 'input_number.box_1', data: { value: 6 } },
		]);
		expect(house.audit.rows.map((row) => row.tool)).toContain('button_box_adjust');
	});

	test('OVR-17 the counter is never set beyond what it takes, and never from a count that is not there', async () => {
		const house = createHouse();
		expect(await run(house, 'button_box_adjust', { button: 1, amount: 5 })).toMatchObject({ code: 'out_of_range' });
		const other = createHouse();
		other.home.set('input_number.box_1', 'unavailable');
		expect(await run(other, 'button_box_adjust', { button: 1, amount: 1 })).toMatchObject({ code: 'unavailable' });
		expect([...house.home.heard, ...other.home.heard]).toEqual([]);
	});

	test('OVR-17 the button box is off by default', async () => {
		const house = createHouse();
		const settings = { ...sampleSettings, buttonBox: { enabled: false, maxAmount: 5 } };
		const executor = createExecutor({ ...house.deps, settings });
		expect(await executor.execute(house.request('button_box_adjust', { button: 1, amount: 1 }))).toMatchObject({
			kind: 'blocked',
			reasons: [{ code: 'unsupported' }],
		});
	});
});
