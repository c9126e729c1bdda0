import { rgbToHs } from './color.ts';
import { type Described, describeButton } from './describe-button.ts';
import { describeVacuum } from './describe-vacuum.ts';
import type { Lamp, Lift, Room, Rover } from './room.ts';
import { liftDirection } from './step-lift.ts';

const onOff = (on: boolean) => (on ? 'on' : 'off');

/** All entities of the room, by entity id. A pure projection: equal rooms give equal entities. */
export function describeRoom(room: Room): ReadonlyMap<string, Described> {
	const entities = new Map<string, Described>();
	for (const [id, lamp] of Object.entries(room.lamps)) entities.set(id, describeLamp(lamp));
	for (const [id, described] of describeLift(room.lift)) entities.set(id, described);
	for (const [id, described] of describeVacuum(room)) entities.set(id, described);
	for (const [id, rover] of Object.entries(room.rovers)) {
		for (const [entityId, described] of describeRover(id, rover)) entities.set(entityId, described);
	}
	for (const [id, name] of Object.entries(scriptNames)) {
		const attributes = { friendly_name: name, mode: 'single', current: room.scripts[id] ? 1 : 0 };
		entities.set(id, { state: onOff(room.scripts[id] !== undefined), attributes });
	}
	entities.set('button.lights_lock', describeButton(room, 'button.lights_lock', 'Lights lock'));
	entities.set('binary_sensor.room_presence', {
		state: onOff(room.somebodyPresent),
		attributes: { device_class: 'occupancy', friendly_name: 'Room presence' },
	});
	return entities;
}

const scriptNames: Readonly<Record<string, string>> = {
	'script.movie_time': 'Movie time',
	'script.all_lights_off': 'All lights off',
};

function describeLamp(lamp: Lamp): Described {
	const base = { friendly_name: lamp.name };
	if (lamp.kind === 'switch') return { state: onOff(lamp.on), attributes: base };
	if (lamp.kind === 'onoff') {
		const attributes = { ...base, supported_color_modes: ['onoff'], color_mode: lamp.on ? 'onoff' : null };
		return { state: onOff(lamp.on), attributes: { ...attributes, supported_features: 0 } };
	}
	const attributes = {
		...base,
		supported_color_modes: ['rgb'],
		color_mode: lamp.on ? 'rgb' : null,
		brightness: lamp.on ? lamp.brightness : null,
		rgb_color: lamp.on ? lamp.rgb : null,
		hs_color: lamp.on ? rgbToHs(lamp.rgb) : null,
		supported_features: 32,
	};
	return { state: onOff(lamp.on), attributes };
}

/** OPEN, CLOSE, SET_POSITION and STOP. */
const coverFeatures = 15;

function describeLift(lift: Lift): readonly [string, Described][] {
	const position = Math.round(lift.position);
	const resting = position === 0 ? 'closed' : 'open';
	const cover: Described = {
		state: lift.reported === 'still' ? resting : lift.reported,
		attributes: { current_position: position, friendly_name: 'Lift', supported_features: coverFeatures },
	};
	const moves = liftDirection(lift) !== 0 && lift.jam !== 'stuck' && lift.position > 0 && lift.position < 100;
	return [
		['cover.lift', cover],
		['switch.lift_up', { state: onOff(lift.relayUp), attributes: { friendly_name: 'Lift up' } }],
		['switch.lift_down', { state: onOff(lift.relayDown), attributes: { friendly_name: 'Lift down' } }],
		[
			'binary_sensor.lift_moving',
			{ state: onOff(moves), attributes: { device_class: 'moving', friendly_name: 'Lift moving' } },
		],
	];
}

function describeRover(id: string, rover: Rover): readonly [string, Described][] {
	const name = `Rover ${id.slice('rover'.length)}`;
	const flag = (suffix: string, on: boolean, label: string): [string, Described] => [
		`binary_sensor.${id}_${suffix}`,
		{ state: onOff(on), attributes: { friendly_name: `${name} ${label}` } },
	];
	return [
		[
			`sensor.${id}_driver`,
			{ state: rover.driver === '' ? 'none' : rover.driver, attributes: { friendly_name: `${name} driver` } },
		],
		[
			`sensor.${id}_battery`,
			{
				state: String(Math.round(rover.battery)),
				attributes: { friendly_name: `${name} battery`, unit_of_measurement: '%', device_class: 'battery' },
			},
		],
		flag('docked', rover.activity === 'docked', 'docked'),
		flag('charging', rover.activity === 'docked' && rover.battery < 100, 'charging'),
		flag('driving', rover.activity === 'driving' || rover.activity === 'docking', 'driving'),
		flag('hazard', rover.hazardLeftMs > 0, 'hazard'),
	];
}
