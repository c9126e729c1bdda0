import { describe, expect, test } from 'vitest';
import { createExecutor } from '../../../tools/executor.ts';
import { blockCodes, createHouse } from './support/house.ts';

type House = ReturnType<typeof createHouse>;
const heard = (house: House) => house.home.heard.map((request) => `${request.entityId} ${request.service}`);
const run = (house: House, tool: string) => createExecutor(house.deps).execute(house.request(tool));

describe('vacuum entity', () => {
	test('OVR-18 OVR-19 start is confirmed by the state cleaning', async () => {
		const house = createHouse();
		expect(await run(house, 'neato_start')).toMatchObject({ kind: 'confirmed', summary: 'vacuum cleans' });
		expect(heard(house)).toEqual(['vacuum.robot start']);
	});

	test('OVR-18 H08 a robot that cleans is paused, seen paused, and then sent home', async () => {
		const house = createHouse();
		house.home.set('vacuum.robot', 'cleaning');
		expect(await run(house, 'neato_send_home')).toMatchObject({ kind: 'confirmed', summary: 'vacuum goes home' });
		expect(heard(house)).toEqual(['vacuum.robot pause', 'vacuum.robot return_to_base']);
	});

	test('H08 a pause that is not seen is where it ends', async () => {
		const house = createHouse();
		house.home.set('vacuum.robot', 'cleaning');
		house.home.inert.add('vacuum.robot');
		expect(await run(house, 'neato_send_home')).toMatchObject({ kind: 'unconfirmed' });
		expect(heard(house)).toEqual(['vacuum.robot pause']);
	});

	test('OVR-21 a lock that comes between pause and return stops it', async () => {
		const house = createHouse();
		house.home.set('vacuum.robot', 'cleaning');
		house.home.onHear = () => {
			house.rules.site = { mode: 'admin', lightsLock: 'none', paused: false };
		};
		expect(blockCodes(await run(house, 'neato_send_home'))).toEqual(['policy_lock:site_mode_admin']);
		expect(heard(house)).toEqual(['vacuum.robot pause']);
	});

	test('OVR-19 no state shows a sound: locate is sent and stays unconfirmed', async () => {
		const house = createHouse();
		expect(await run(house, 'neato_locate')).toMatchObject({ kind: 'unconfirmed' });
		expect(heard(house)).toEqual(['vacuum.robot locate']);
	});

	test.each([
		['unavailable', 'neato_start', 'unavailable'],
		['error', 'neato_start', 'unavailable'],
		['returning', 'neato_send_home', 'already'],
		['docked', 'neato_send_home', 'already'],
		['docked', 'neato_clear_errors', 'already'],
	])('H08 %s: %s is blocked as %s', async (state, tool, code) => {
		const house = createHouse();
		house.home.set('vacuum.robot', state);
		expect(blockCodes(await run(house, tool))).toEqual([code]);
		expect(heard(house)).toEqual([]);
	});
});

describe('vacuum of buttons and sensors', () => {
	test('OVR-18 start presses house clean, waits, presses resume', async () => {
		const house = createHouse({ wiring: 'parts' });
		const times: number[] = [];
		house.home.onHear = () => times.push(house.time.now());
		house.home.set('sensor.robot_state', 'paused');
		house.home.set('binary_sensor.charging', 'off');
		expect(await run(house, 'neato_start')).toMatchObject({ kind: 'confirmed' });
		expect(heard(house)).toEqual(['button.house_clean press', 'button.resume press']);
		expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(3_000);
	});

	test('OVR-24 a first press in doubt ends the call: nothing is pressed on top of it', async () => {
		const house = createHouse({ wiring: 'parts' });
		house.home.answer = () => ({ result: { kind: 'in_doubt', reason: 'lost' }, effect: false });
		expect(await run(house, 'neato_start')).toMatchObject({ kind: 'unknown' });
		expect(heard(house)).toEqual(['button.house_clean press']);
	});

	test('OVR-18 H08 send home presses pause first where there is such a button', async () => {
		const house = createHouse({ wiring: 'parts' });
		house.home.set('sensor.robot_state', 'cleaning');
		house.home.set('binary_sensor.charging', 'off');
		expect(await run(house, 'neato_send_home')).toMatchObject({ kind: 'confirmed' });
		expect(heard(house)).toEqual(['button.pause press', 'button.send_to_base press']);
	});

	test('OVR-19 errors are cleared when the sensor says so', async () => {
		const house = createHouse({ wiring: 'parts' });
		house.home.set('sensor.error', 'Brush stuck');
		expect(await run(house, 'neato_clear_errors')).toMatchObject({ kind: 'confirmed' });
		house.home.set('sensor.error', 'Brush stuck');
		house.home.inert.add('button.clear_errors');
		house.time.advance(60_000);
		const again = house.request('neato_clear_errors', {}, { call: { id: 'c2', tool: 'neato_clear_errors', args: {} } });
		expect(await createExecutor(house.deps).execute(again)).toMatchObject({ kind: 'unconfirmed' });
	});
});
