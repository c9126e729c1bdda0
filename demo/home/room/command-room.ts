import { requestedColor } from './color.ts';
import { commandLift } from './command-lift.ts';
import { commandVacuum } from './command-vacuum.ts';
import type { Lamp, Room } from './room.ts';

/** A validated service call on one existing, available entity. */
export interface RoomCommand {
	readonly domain: string;
	readonly service: string;
	readonly entityId: string;
	readonly data: Readonly<Record<string, unknown>>;
	/** Epoch milliseconds. */
	readonly now: number;
}

/** What a device does when it is told something; commands that mean nothing to the entity leave the room as it is. */
export function commandRoom(room: Room, command: RoomCommand): Room {
	const { entityId, service } = command;
	const lamp = room.lamps[entityId];
	if (lamp) return { ...room, lamps: { ...room.lamps, [entityId]: commandLamp(lamp, service, command.data) } };
	if (entityId === 'cover.lift' || entityId.startsWith('switch.lift_')) {
		return { ...room, lift: commandLift(room.lift, entityId, service, command.data) };
	}
	if (entityId === 'vacuum.neato') return { ...room, vacuum: commandVacuum(room, service) };
	if (service === 'press') return pressButton(room, command);
	if (entityId.startsWith('script.')) return runScript(room, command);
	return room;
}

function commandLamp(lamp: Lamp, service: string, data: Readonly<Record<string, unknown>>): Lamp {
	if (service === 'turn_off') return { ...lamp, on: false };
	if (service === 'toggle') return { ...lamp, on: !lamp.on };
	if (service !== 'turn_on') return lamp;
	if (lamp.kind !== 'rgb') return { ...lamp, on: true };
	const brightness = requestedBrightness(data, lamp.brightness);
	if (brightness === 0) return { ...lamp, on: false };
	return { ...lamp, on: true, brightness, rgb: requestedColor(data) ?? lamp.rgb };
}

function requestedBrightness(data: Readonly<Record<string, unknown>>, current: number): number {
	const absolute = data['brightness'];
	if (typeof absolute === 'number') return Math.round(absolute);
	const percent = data['brightness_pct'];
	return typeof percent === 'number' ? Math.round((percent * 255) / 100) : current;
}

const vacuumButtons: Readonly<Record<string, string>> = {
	'button.neato_house_clean': 'house_clean',
	'button.neato_resume_cleaning': 'resume',
	'button.neato_pause_cleaning': 'pause',
	'button.neato_send_to_base': 'return_to_base',
	'button.neato_locate_robot': 'locate',
	'button.neato_clear_errors': 'clear_errors',
	'button.neato_powercycle': 'powercycle',
};

function pressButton(room: Room, { entityId, now }: RoomCommand): Room {
	const pressed = { ...room, pressedAt: { ...room.pressedAt, [entityId]: now } };
	const meaning = vacuumButtons[entityId];
	return meaning ? { ...pressed, vacuum: commandVacuum(pressed, meaning) } : pressed;
}

const scriptLamps: Readonly<Record<string, (lamp: Lamp, entityId: string) => Lamp>> = {
	'script.movie_time': (lamp, entityId) => {
		if (entityId === 'light.shelf') return { ...lamp, on: true, brightness: 50, rgb: [255, 140, 40] };
		return entityId === 'light.color' ? { ...lamp, on: true, rgb: [40, 60, 255] } : { ...lamp, on: false };
	},
	'script.all_lights_off': (lamp) => ({ ...lamp, on: false }),
};

function runScript(room: Room, { entityId, service }: RoomCommand): Room {
	const change = scriptLamps[entityId];
	if (!change || (service !== 'turn_on' && `script.${service}` !== entityId)) return room;
	const lamps = Object.entries(room.lamps).map(([id, lamp]) => [id, change(lamp, id)]);
	const scripts = { ...room.scripts, [entityId]: { leftMs: room.pace.scriptMs } };
	return { ...room, lamps: Object.fromEntries(lamps), scripts };
}
