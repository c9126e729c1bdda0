import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHomeAssistant, type HomeAssistant } from '../../../adapters/home/home-assistant.ts';
import { overseerSettings } from '../../../config/overseer.ts';
import { roomEntityIds, roomSettings } from '../../../config/rooms.ts';
import { readNeato } from '../../../core/overseer/read-neato.ts';
import { OPEN_SITE } from '../../../core/overseer/site.ts';
import { readWorld } from '../../../core/overseer/world-view.ts';
import { createLoopbackHome, type LoopbackHome } from '../../../demo/home/loopback-home.ts';
import { createExecutor } from '../../../tools/executor.ts';
import { eventually } from '../../support/fakes/eventually.ts';
import { createMemoryLog } from '../../support/fakes/memory-log.ts';
import { createHouse } from '../../unit/tools/support/house.ts';

const base = {
	id: 'den',
	title: 'Den',
	channelId: '100000000000000001',
	lights: [
		{ entityId: 'light.shelf', label: 'shelf' },
		{ entityId: 'switch.aux2', label: 'outlet' },
	],
	scripts: [{ entityId: 'script.movie_time', label: 'movie time' }],
};
const rooms = {
	entities: roomSettings.parse({
		...base,
		lift: { driver: 'cover', entityId: 'cover.lift', travelMs: 1_000 },
		neato: { driver: 'vacuum', entityId: 'vacuum.neato', clearErrorsEntityId: 'button.neato_clear_errors' },
	}),
	parts: roomSettings.parse({
		...base,
		lift: { driver: 'switches', upEntityId: 'switch.lift_up', downEntityId: 'switch.lift_down', interlockMs: 250 },
		neato: {
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
		},
	}),
};
const settings = overseerSettings.parse({ stage: 'full' });

let loopback: LoopbackHome;
let home: HomeAssistant;

beforeAll(async () => {
	loopback = await createLoopbackHome({ pace: { liftTravelMs: 1_000, driveSpeed: 40, scriptMs: 1_000 }, tickMs: 20 });
	home = createHomeAssistant({
		url: loopback.url,
		token: loopback.token,
		entityIds: [...new Set([...roomEntityIds(rooms.entities), ...roomEntityIds(rooms.parts)])],
		log: createMemoryLog(),
		now: Date.now,
	});
	home.start();
	await eventually(() => home.status().connected);
});

afterAll(async () => {
	await home.stop();
	await loopback.close();
});

beforeEach(async () => {
	loopback.control.clearFaults();
	loopback.control.reset();
	// What the bot sees has caught up with the room.
	const seen = ['vacuum.neato', 'light.shelf', 'switch.aux2', 'cover.lift', 'switch.lift_up', 'switch.lift_down'];
	await eventually(
		() => home.status().connected && seen.every((id) => home.states().get(id)?.state === world()[id]?.state),
	);
});

let calls = 0;

/** The real executor on the real wire; only the stores are in memory. */
async function run(wiring: keyof typeof rooms, tool: string, args: unknown = {}) {
	const room = rooms[wiring];
	const house = createHouse({ room });
	calls += 1;
	const executor = createExecutor({
		...house.deps,
		settings,
		home,
		callDeadlineMs: 2_000,
		clock: { now: Date.now },
		readNeato: ({ neato }, states) => neato && readNeato(neato, states, home.status().connected),
		facts: async (_roomId, direct) => ({
			now: Date.now(),
			stage: 'full',
			site: OPEN_SITE,
			votedQuiet: false,
			// Far enough on that what moved at the start of the test has come to rest.
			world: readWorld({ room, states: home.states(), home: home.status(), reports: [], now: Date.now() + 60_000 }),
			direct,
			readyAt: {},
			running: [],
			budget: { minuteUsed: 0, hourUsed: 0 },
		}),
		sleep: async (ms, signal) => void (await wait(ms, undefined, { signal }).catch(() => undefined)),
	});
	return await executor.execute(house.request(tool, args, { call: { id: `c${calls}`, tool, args } }));
}

const world = () => loopback.control.world().entities;

describe('tools over the wire', () => {
	test('OVR-18 OVR-19 a lamp takes state, brightness and colour, an outlet its state', async () => {
		const wanted = { entity_id: 'shelf', brightness: 40, color: 'red' };
		expect(await run('entities', 'ha_set_light', wanted)).toMatchObject({ kind: 'confirmed' });
		expect(world()['light.shelf']).toMatchObject({ attributes: { rgb_color: [255, 0, 0], brightness: 102 } });
		expect(await run('entities', 'ha_set_entity', { entity_id: 'light.shelf', state: 'off' })).toMatchObject({
			kind: 'confirmed',
		});
		const outlet = world()['switch.aux2']?.state === 'on' ? 'off' : 'on';
		expect(await run('entities', 'ha_set_entity', { entity_id: 'outlet', state: outlet })).toMatchObject({
			kind: 'confirmed',
		});
		expect(world()['switch.aux2']?.state).toBe(outlet);
	});

	test.each(['entities', 'parts'] as const)('OVR-18 the lift goes up and down again (%s)', async (wiring) => {
		expect(await run(wiring, 'lift_up')).toMatchObject({ kind: 'confirmed' });
		await eventually(() => home.states().get('cover.lift')?.attributes['current_position'] === 100);
		expect(await run(wiring, 'lift_down')).toMatchObject({ kind: 'confirmed' });
		await eventually(() => home.states().get('cover.lift')?.attributes['current_position'] === 0);
		expect([world()['switch.lift_up']?.state, home.states().get('switch.lift_up')?.state]).not.toContain('on');
	});

	test.each(['entities', 'parts'] as const)(
		'OVR-18 H08 the vacuum starts, and goes home while it cleans (%s)',
		async (wiring) => {
			expect(await run(wiring, 'neato_start')).toMatchObject({ kind: 'confirmed' });
			expect(world()['vacuum.neato']?.state).toBe('cleaning');
			expect(await run(wiring, 'neato_send_home')).toMatchObject({ kind: 'confirmed' });
			expect(['returning', 'docked']).toContain(world()['vacuum.neato']?.state);
		},
	);

	test('OVR-19 a script is seen to start', async () => {
		expect(await run('entities', 'ha_run_script', { script: 'movie time' })).toMatchObject({ kind: 'confirmed' });
	});

	test('OVR-19 H05 success that did nothing is unconfirmed', async () => {
		loopback.control.fault({ domain: 'light', kind: 'no_effect' });
		const state = world()['light.shelf']?.state === 'on' ? 'off' : 'on';
		expect(await run('entities', 'ha_set_entity', { entity_id: 'shelf', state })).toMatchObject({
			kind: 'unconfirmed',
		});
	});

	test.each([
		[true, 'confirmed'],
		[false, 'unknown'],
	])(
		'H01 the line is cut in the middle of a call (acted: %s): settled by the state as %s',
		async (acts, kind) => {
			loopback.control.fault({ domain: 'light', kind: 'drop', acts });
			const state = world()['light.shelf']?.state === 'on' ? 'off' : 'on';
			const outcome = await run('entities', 'ha_set_entity', { entity_id: 'shelf', state });
			expect(outcome).toMatchObject({ kind });
			await eventually(() => home.status().connected, 30_000);
			const sent = loopback.control.calls().filter((call) => JSON.stringify(call).includes('light.shelf'));
			expect(sent).toHaveLength(1);
		},
		60_000,
	);

	test('OVR-20 H04 a refusal of Home Assistant comes back with its code', async () => {
		loopback.control.fault({ domain: 'light', kind: 'reject', code: 'service_validation_error', message: 'no' });
		expect(await run('entities', 'ha_set_entity', { entity_id: 'shelf', state: 'on' })).toMatchObject({
			kind: 'failed',
			code: 'service_validation_error',
		});
	});
});
