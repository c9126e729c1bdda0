import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { openWatchedRoom, ROOM, type WatchedRoom } from '../../support/watched-room.ts';

let room: WatchedRoom;

const control = () => room.house.home.control;
const stateOf = (entityId: string) => control().world().entities[entityId]?.state;

/** Says a sentence, waits for the answer and looks for the tool's row; a sound cannot be seen, so it stays unconfirmed. */
async function granted(sentence: string, tool: string, step = 'confirmed'): Promise<string> {
	const asked = await room.say('alex', sentence);
	const answer = await room.answer(asked, { timeoutMs: 40_000 });
	const row = (await room.rows()).find((one) => one.tool === tool && one.step === step);
	expect(
		row,
		`${sentence}: ${JSON.stringify((await room.rows()).map(({ tool: name, step, summary }) => [name, step, summary]))}`,
	).toBeDefined();
	return answer.text;
}

/** Lets the house's simulated time run until the thing is so. */
async function until(what: string, isSo: () => boolean): Promise<void> {
	await eventually(what, () => {
		control().advance(500);
		return isSo();
	});
}

describe('a cover as lift, a vacuum entity', () => {
	beforeAll(async () => {
		room = await openWatchedRoom();
	});
	beforeEach(() => room.fresh());
	afterAll(() => room.stop());

	test('OVR-17 OVR-19 lamps by chat: on, off, an outlet, colour and brightness', async () => {
		await granted('overseer, turn the shelf lamp off', 'ha_set_entity');
		expect(stateOf('light.shelf')).toBe('off');
		await granted('overseer, switch the bench lamp on please', 'ha_set_entity');
		expect(stateOf('light.bench')).toBe('on');
		await granted('overseer aux2 off', 'ha_set_entity');
		expect(stateOf('switch.aux2')).toBe('off');
		await granted('overseer make the bench red', 'ha_set_light');
		expect(control().world().entities['light.bench']?.attributes['rgb_color']).toEqual([255, 0, 0]);
		await granted('overseer dim the bench to 40 percent', 'ha_set_light');
		const brightness = Number(control().world().entities['light.bench']?.attributes['brightness']);
		expect(Math.round((brightness / 255) * 100)).toBe(40);
		expect(room.calls().every((call) => / (?:light|switch)\./.test(call))).toBe(true);
	});

	test('OVR-17 OVR-18 the lift by chat: up and down again, one call each', async () => {
		await granted('overseer, lift up', 'lift_up');
		await until('the lift is up', () => stateOf('cover.lift') === 'open');
		await room.idle();
		await granted('overseer, lower the lift', 'lift_down');
		expect(room.calls()).toEqual(['open_cover cover.lift', 'close_cover cover.lift']);
	});

	test('OVR-17 OVR-18 the vacuum by chat: start, home (paused first), locate, clear errors', async () => {
		await granted('overseer start the vacuum', 'neato_start');
		expect(stateOf('vacuum.neato')).toBe('cleaning');
		await granted('overseer send the vacuum home', 'neato_send_home');
		await granted('overseer, locate the vacuum', 'neato_locate', 'unconfirmed');
		control().poke({ kind: 'vacuum_error', error: '12 - UI_ERROR_BRUSH_STUCK' });
		await eventually('the error is there', () => stateOf('vacuum.neato') === 'error');
		await room.idle();
		await granted('overseer, clear the vacuum error', 'neato_clear_errors');
		expect(room.calls()).toEqual([
			'start vacuum.neato',
			'pause vacuum.neato',
			'return_to_base vacuum.neato',
			'locate vacuum.neato',
			'press button.neato_clear_errors',
		]);
	});

	test('OVR-17 a prepared script, notes and speech by chat', async () => {
		await granted('overseer, start movie time', 'ha_run_script');
		expect(room.calls()[0]).toMatch(/script\.movie_time/);
		await granted('overseer, remember that casey owes sam a coffee', 'memory_write');
		expect(await room.stores.memory.read(ROOM)).toContain('casey owes sam a coffee');
		const said = await granted('overseer, who are you?', 'chat_say');
		expect(said).toContain('Overseer');
	});
});

describe('two switches as lift, ESPHome buttons and sensors as vacuum', () => {
	beforeAll(async () => {
		room = await openWatchedRoom({
			change({ rooms }) {
				const [workshop] = rooms;
				if (!workshop) throw new Error('the rehearsal house has a room');
				workshop.lift = {
					driver: 'switches',
					upEntityId: 'switch.lift_up',
					downEntityId: 'switch.lift_down',
					interlockMs: 300,
				};
				workshop.neato = {
					driver: 'esphome',
					buttons: {
						houseClean: 'button.neato_house_clean',
						resume: 'button.neato_resume_cleaning',
						sendToBase: 'button.neato_send_to_base',
						locate: 'button.neato_locate_robot',
						clearErrors: 'button.neato_clear_errors',
						pause: 'button.neato_pause_cleaning',
					},
					sensors: {
						charging: 'binary_sensor.neato_charging_active',
						robotState: 'sensor.neato_robot_state',
						uiState: 'sensor.neato_ui_state',
						error: 'sensor.neato_robot_error',
						alert: 'sensor.neato_robot_alert',
					},
					resumeAfterMs: 100,
				};
			},
		});
	});
	beforeEach(() => room.fresh());
	afterAll(() => room.stop());

	test('OVR-17 OVR-18 the lift on two switches: the other one off first, and never both on', async () => {
		await granted('overseer, lift up', 'lift_up');
		expect(room.calls()).toEqual(['turn_off switch.lift_down', 'turn_on switch.lift_up']);
		expect([stateOf('switch.lift_up'), stateOf('switch.lift_down')]).toEqual(['on', 'off']);
	});

	test('OVR-12 OVR-18 both switches on is a conflict: neither way is offered, and the person hears so', async () => {
		for (const entityId of ['switch.lift_up', 'switch.lift_down'])
			control().act({ domain: 'switch', service: 'turn_on', entityId });
		expect([stateOf('switch.lift_up'), stateOf('switch.lift_down')]).toEqual(['on', 'on']);
		await new Promise((resolve) => setTimeout(resolve, 300));
		const asked = await room.say('sam', 'overseer, lift up');
		expect((await room.answer(asked)).text).not.toBe('');
		expect(room.prompt(room.model.control.requests().length)).toMatch(/lift_up\(\) reason=unavailable/);
		expect(room.calls()).toEqual([]);
	});

	test('OVR-17 OVR-18 the vacuum on buttons: start, home (paused first), locate, clear errors', async () => {
		await granted('overseer start the vacuum', 'neato_start');
		await granted('overseer send the vacuum home', 'neato_send_home');
		await granted('overseer, locate the vacuum', 'neato_locate', 'unconfirmed');
		control().poke({ kind: 'vacuum_error', error: '12 - UI_ERROR_BRUSH_STUCK' });
		await eventually('the error is there', () => /BRUSH/.test(stateOf('sensor.neato_robot_error') ?? ''));
		await room.idle();
		await granted('overseer, clear the vacuum error', 'neato_clear_errors');
		const pressed = room.calls().map((call) => call.replace('press button.neato_', ''));
		expect(pressed.filter((name) => name !== 'resume_cleaning')).toEqual([
			'house_clean',
			'pause_cleaning',
			'send_to_base',
			'locate_robot',
			'clear_errors',
		]);
	});
});
