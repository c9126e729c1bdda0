import { expect, test } from 'vitest';
import { hueName } from '../../../../core/overseer/color-name.ts';
import type { LiftCommand } from '../../../../core/overseer/read-lift.ts';
import { readWorld } from '../../../../core/overseer/world-view.ts';
import { entity, READY, roomOf, statesOf } from './home-fixture.ts';
import { T0 } from './room-fixture.ts';

const coverRoom = roomOf({ lift: { driver: 'cover', entityId: 'cover.lift' } });

function lift(state: string, forSeconds: number, attributes: Record<string, unknown>, liftCommand?: LiftCommand) {
	const states = statesOf(entity('cover.lift', state, attributes, forSeconds));
	return readWorld({ room: coverRoom, states, home: READY, reports: [], liftCommand, now: T0 }).lift;
}

test.each([
	[
		'1 stuck in opening at the top',
		'opening',
		420,
		{ current_position: 100 },
		undefined,
		{ position: 'up', busy: false, stale: true },
	],
	['2 moving', 'opening', 5, { current_position: 40 }, undefined, { position: 'opening', busy: true }],
	[
		'3 stuck half way',
		'opening',
		300,
		{ current_position: 40 },
		undefined,
		{ position: 'stopped', busy: false, stale: true },
	],
	[
		'3b within twice the travel time it still moves',
		'opening',
		45,
		{ current_position: 40 },
		undefined,
		{ position: 'opening', busy: true },
	],
	[
		'4 unknown, last command long ago',
		'unknown',
		60,
		{ assumed_state: true },
		{ direction: 'up', at: T0 - 60_000 },
		{ position: 'up', busy: false },
	],
	[
		'4b unknown, last command just now',
		'unknown',
		60,
		{ assumed_state: true },
		{ direction: 'up', at: T0 - 5_000 },
		{ position: 'opening', busy: true },
	],
	[
		'4c unknown, never commanded',
		'unknown',
		60,
		{ assumed_state: true },
		undefined,
		{ position: 'unknown', busy: false },
	],
	[
		'5 open at once while still moving',
		'open',
		1,
		{ current_position: 30 },
		undefined,
		{ position: 'stopped', busy: true },
	],
	[
		'5b the same after our own command',
		'open',
		1,
		{ current_position: 30 },
		{ direction: 'up', at: T0 - 2_000 },
		{ position: 'opening', busy: true },
	],
	[
		'5c half way for long: stopped',
		'open',
		600,
		{ current_position: 30 },
		undefined,
		{ position: 'stopped', busy: false },
	],
	['6 closed', 'closed', 600, { current_position: 0 }, undefined, { position: 'down', busy: false }],
	['6b closed, without any position', 'closed', 600, {}, undefined, { position: 'down', busy: false }],
	[
		'7 moving, the other way was asked',
		'opening',
		5,
		{ current_position: 40 },
		{ direction: 'down', at: T0 - 1_000 },
		{ position: 'opening', busy: true },
	],
	[
		'8 sent up a moment ago, still at the bottom',
		'closed',
		600,
		{ current_position: 0 },
		{ direction: 'up', at: T0 - 1_000 },
		{ position: 'opening', busy: true },
	],
	[
		'9 sent up, never moved',
		'closed',
		600,
		{ current_position: 0 },
		{ direction: 'up', at: T0 - 60_000 },
		{ position: 'down', busy: false },
	],
	['10 gone', 'unavailable', 10, {}, undefined, { position: 'unknown', busy: false, available: false }],
] as const)('OVR-18 H09 cover: %s', (_about, state, forSeconds, attributes, command, wanted) => {
	expect(lift(state, forSeconds, attributes, command)).toMatchObject(wanted);
});

const switchRoom = roomOf({ lift: { driver: 'switches', upEntityId: 'switch.up', downEntityId: 'switch.down' } });

test.each([
	['up', 'on', 'off', 60, undefined, { position: 'up', busy: false, available: true }],
	['down', 'off', 'on', 60, undefined, { position: 'down', busy: false }],
	['just switched', 'on', 'off', 2, undefined, { position: 'up', busy: true }],
	[
		'between the two switches',
		'off',
		'off',
		2,
		{ direction: 'up', at: T0 - 3_000 },
		{ position: 'opening', busy: true },
	],
	['neither', 'off', 'off', 60, undefined, { position: 'stopped', busy: false }],
	['both on is a conflict', 'on', 'on', 60, undefined, { position: 'conflict', busy: false, available: true }],
	['one gone', 'on', 'unavailable', 60, undefined, { position: 'unknown', available: false }],
] as const)('OVR-18 switches: %s', (_about, up, down, forSeconds, liftCommand, wanted) => {
	const states = statesOf(entity('switch.up', up, {}, forSeconds), entity('switch.down', down, {}, forSeconds));
	expect(readWorld({ room: switchRoom, states, home: READY, reports: [], liftCommand, now: T0 }).lift).toMatchObject(
		wanted,
	);
});

const vacuumRoom = roomOf({
	neato: { driver: 'vacuum', entityId: 'vacuum.neato', chargingEntityId: 'binary_sensor.charging' },
});

test.each([
	[
		'docked with an alert',
		'docked',
		{ status: 'Docked', alert: 'Please empty dust bin' },
		{ connected: true, state: 'docked', alert: 'Please empty dust bin' },
	],
	[
		'an alert told in the status',
		'docked',
		{ status: 'Please empty dust bin' },
		{ state: 'docked', alert: 'Please empty dust bin' },
	],
	['cleaning', 'cleaning', { status: 'Cleaning' }, { state: 'cleaning' }],
	['error', 'error', { status: 'Brush stuck' }, { state: 'error', error: 'Brush stuck' }],
	['unavailable', 'unavailable', {}, { connected: false, state: 'unknown', canClearErrors: false }],
	['a state nobody knows', 'mopping', {}, { connected: true, state: 'unknown' }],
] as const)('OVR-18 H08 vacuum: %s', (_about, state, attributes, wanted) => {
	const states = statesOf(entity('vacuum.neato', state, attributes), entity('binary_sensor.charging', 'on'));
	const { neato } = readWorld({ room: vacuumRoom, states, home: READY, reports: [], now: T0 });
	expect(neato).toMatchObject(wanted);
	if (state === 'cleaning') expect(neato).not.toHaveProperty('alert');
});

test('OVR-18 H08 an entity that was removed is a vacuum that is not there', () => {
	expect(readWorld({ room: vacuumRoom, states: new Map(), home: READY, reports: [], now: T0 }).neato).toEqual({
		connected: false,
		state: 'unknown',
		canClearErrors: false,
	});
});

const button = (name: string) => `button.neato_${name}`;
const espRoom = roomOf({
	neato: {
		driver: 'esphome',
		buttons: {
			houseClean: button('house_clean'),
			resume: button('resume'),
			sendToBase: button('base'),
			locate: button('locate'),
			clearErrors: button('clear'),
		},
		sensors: {
			charging: 'binary_sensor.neato_charging',
			robotState: 'sensor.neato_robot',
			uiState: 'sensor.neato_ui',
			error: 'sensor.neato_error',
			alert: 'sensor.neato_alert',
		},
	},
});

function esp(ui: string, robot: string, charging: string, error = '200 - UI_ALERT_INVALID\n', alert = '200\n') {
	const states = statesOf(
		...['house_clean', 'resume', 'base', 'locate', 'clear'].map((name) => entity(button(name), 'unknown')),
		entity('binary_sensor.neato_charging', charging),
		entity('sensor.neato_robot', robot),
		entity('sensor.neato_ui', ui),
		entity('sensor.neato_error', error),
		entity('sensor.neato_alert', alert),
	);
	return readWorld({ room: espRoom, states, home: READY, reports: [], now: T0 }).neato;
}

test.each([
	['house cleaning', 'UIMGR_STATE_HOUSECLEANINGRUNNING\n', 'ST_M1_Cleaning\n', 'off', 'cleaning'],
	['paused', 'UIMGR_STATE_HOUSECLEANINGPAUSED\n', 'ST_M1_Paused\n', 'off', 'paused'],
	['going home', 'UIMGR_STATE_DOCKINGRUNNING\n', 'ST_M1_Docking\n', 'off', 'returning'],
	['in the dock', 'UIMGR_STATE_STANDBY\n', 'ST_C_Standby\n', 'on', 'docked'],
	['standing somewhere', 'UIMGR_STATE_IDLE\n', 'ST_C_Idle\n', 'off', 'idle'],
	['interface silent, robot speaks', 'unknown', 'ST_M1_Cleaning\n', 'off', 'cleaning'],
	['nothing known', 'WARP\n', 'WEFT\n', 'off', 'unknown'],
])('OVR-18 ESPHome vacuum: %s', (_about, ui, robot, charging, state) => {
	expect(esp(ui, robot, charging)).toMatchObject({ connected: true, state, charging: charging === 'on' });
	expect(esp(ui, robot, charging)).not.toHaveProperty('error');
});

test('OVR-18 ESPHome vacuum: errors are errors, "no error" is none, an unavailable sensor is a vacuum that is not there', () => {
	expect(esp('UIMGR_STATE_IDLE', 'x', 'off', '234 - UI_ERROR_BRUSH\n')).toMatchObject({
		state: 'error',
		error: '234 - UI_ERROR_BRUSH',
	});
	expect(esp('UIMGR_STATE_IDLE', 'x', 'off', 'No Error')).not.toHaveProperty('error');
	expect(esp('UIMGR_STATE_IDLE', 'x', 'off', '200', '219 - UI_ALERT_DUST_BIN_FULL\n')).toMatchObject({
		state: 'idle',
		alert: '219 - UI_ALERT_DUST_BIN_FULL',
	});
	expect(esp('UIMGR_STATE_IDLE', 'unavailable', 'off')).toMatchObject({ connected: false, state: 'unknown' });
});

test('OVR-3 H04 lamps: colours by name, outlets as lamps, brightness, gone ones', () => {
	const room = roomOf({
		lights: [
			{ entityId: 'light.a', label: 'a' },
			{ entityId: 'switch.b', label: 'b' },
			{ entityId: 'light.c', label: 'c' },
			{ entityId: 'light.d', label: 'd' },
			{ entityId: 'light.e', label: 'e' },
		],
	});
	const states = statesOf(
		entity('light.a', 'on', {
			rgb_color: [160, 32, 240],
			color_mode: 'rgb',
			brightness: 128,
			supported_color_modes: ['rgb'],
			friendly_name: 'Lamp\n[user]',
		}),
		entity('switch.b', 'off'),
		entity('light.c', 'unavailable'),
		entity('light.d', 'on', { color_mode: 'color_temp', color_temp_kelvin: 2_700 }),
	);
	const { lights } = readWorld({ room, states, home: READY, reports: [], now: T0 });
	expect(lights.map(({ state, available, color }) => [state, available, color])).toEqual([
		['on', true, 'purple'],
		['off', true, undefined],
		['unavailable', false, undefined],
		['on', true, 'warm white'],
		['missing', false, undefined],
	]);
	expect(lights[0]).toMatchObject({ brightnessPct: 50, colorModes: ['rgb'], friendlyName: 'Lamp\n[user]' });
});

test.each([
	[0, 'red'],
	[30, 'orange'],
	[55, 'yellow'],
	[120, 'green'],
	[180, 'cyan'],
	[230, 'blue'],
	[275, 'purple'],
	[300, 'magenta'],
	[335, 'pink'],
	[359, 'red'],
	[-5, 'red'],
])('OVR-9 hue %d is %s', (hue, name) => {
	expect(hueName(hue, 100)).toBe(name);
});

test('OVR-9 pale colours', () => {
	expect(hueName(120, 5)).toBe('white');
	expect(hueName(350, 25)).toBe('pink');
});

test('OVR-18 rovers from entities and from reports', () => {
	const room = roomOf({
		rovers: [
			{
				id: 'r1',
				drivingEntityId: 'binary_sensor.r1_driving',
				driverEntityId: 'sensor.r1_driver',
				dockedEntityId: 'binary_sensor.r1_docked',
				hazardEntityId: 'binary_sensor.r1_hazard',
			},
			{ id: 'r2', source: 'http' },
			{ id: 'r3', source: 'http' },
			{ id: 'r4', drivingEntityId: 'binary_sensor.r4_driving' },
		],
	});
	const states = statesOf(
		entity('binary_sensor.r1_driving', 'on'),
		entity('sensor.r1_driver', 'alex\n'),
		entity('binary_sensor.r1_docked', 'off'),
		entity('binary_sensor.r1_hazard', 'on'),
		entity('binary_sensor.r4_driving', 'unavailable'),
	);
	const report = { id: 'r2', driving: true, driver: 'kim', available: true };
	const { rovers } = readWorld({ room, states, home: READY, reports: [report], now: T0 });
	expect(rovers).toEqual([
		{ id: 'r1', driving: true, driver: 'alex', docked: false, hazard: 'hazard', available: true },
		report,
		{ id: 'r3', driving: false, available: false },
		{ id: 'r4', driving: false, available: false },
	]);
});

test('OVR-18 while Home Assistant is away everything that hangs on it is unavailable, and presence is not invented', () => {
	const states = statesOf(entity('cover.lift', 'open', { current_position: 100 }));
	const world = readWorld({ room: coverRoom, states, home: { connected: false, phase: 'lost' }, reports: [], now: T0 });
	expect(world).toMatchObject({ homeReady: false, homePhase: 'lost', lift: { position: 'up', available: false } });
	expect(world).not.toHaveProperty('present');
	const presence = roomOf({ presenceEntityIds: ['binary_sensor.p'] });
	const seen = (state: string) =>
		readWorld({ room: presence, states: statesOf(entity('binary_sensor.p', state)), home: READY, reports: [], now: T0 })
			.present;
	expect([seen('on'), seen('off'), seen('unavailable')]).toEqual([true, false, undefined]);
});
