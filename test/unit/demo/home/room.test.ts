import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandRoom, type RoomCommand } from '../../../../demo/home/room/command-room.ts';
import { describeRoom } from '../../../../demo/home/room/describe-room.ts';
import { pokeRoom } from '../../../../demo/home/room/poke-room.ts';
import { createRoom, type Room, roomSize } from '../../../../demo/home/room/room.ts';
import { stepRoom } from '../../../../demo/home/room/step-room.ts';

const pace = { liftTravelMs: 1_000, cleanMs: 5_000 };

function command(room: Room, entityId: string, service: string, data: RoomCommand['data'] = {}): Room {
	return commandRoom(room, { domain: entityId.split('.')[0] ?? '', service, entityId, data, now: 5_000 });
}

const stateOf = (room: Room, entityId: string) => describeRoom(room).get(entityId)?.state;
const positionOf = (room: Room) => describeRoom(room).get('cover.lift')?.attributes['current_position'];

test('OVR-18 the lift as a cover travels, arrives and releases its relays', () => {
	const opening = stepRoom(command(createRoom(1, pace), 'cover.lift', 'open_cover'), 400);
	expect([stateOf(opening, 'cover.lift'), positionOf(opening), stateOf(opening, 'switch.lift_up')]).toEqual([
		'opening',
		40,
		'on',
	]);
	expect(stateOf(opening, 'binary_sensor.lift_moving')).toBe('on');
	const up = stepRoom(opening, 700);
	expect([stateOf(up, 'cover.lift'), positionOf(up), stateOf(up, 'switch.lift_up')]).toEqual(['open', 100, 'off']);
	const stopped = command(opening, 'cover.lift', 'stop_cover');
	expect(positionOf(stepRoom(stopped, 5_000))).toBe(40);
	expect(stateOf(stopped, 'cover.lift')).toBe('open');
});

test('OVR-18 the lift as two switches: both on is a conflict that moves nothing, one alone stays on at the end', () => {
	const up = stepRoom(command(createRoom(1, pace), 'switch.lift_up', 'turn_on'), 500);
	expect(positionOf(up)).toBe(50);
	const conflict = stepRoom(command(up, 'switch.lift_down', 'turn_on'), 5_000);
	expect([positionOf(conflict), stateOf(conflict, 'switch.lift_up'), stateOf(conflict, 'switch.lift_down')]).toEqual([
		50,
		'on',
		'on',
	]);
	const down = stepRoom(command(conflict, 'switch.lift_up', 'turn_off'), 5_000);
	expect([positionOf(down), stateOf(down, 'switch.lift_down')]).toEqual([0, 'on']);
});

test('H09 a stuck lift claims to open and stays; a silent one arrives and goes on claiming', () => {
	const stuck = stepRoom(
		command(pokeRoom(createRoom(1, pace), { kind: 'jam_lift', jam: 'stuck' }, 0), 'cover.lift', 'open_cover'),
		60_000,
	);
	expect([stateOf(stuck, 'cover.lift'), positionOf(stuck)]).toEqual(['opening', 0]);
	const silent = stepRoom(
		command(pokeRoom(createRoom(1, pace), { kind: 'jam_lift', jam: 'never_reports' }, 0), 'cover.lift', 'open_cover'),
		60_000,
	);
	expect([stateOf(silent, 'cover.lift'), positionOf(silent)]).toEqual(['opening', 100]);
	const freed = pokeRoom(silent, { kind: 'jam_lift', jam: 'none' }, 0);
	expect(stateOf(freed, 'cover.lift')).toBe('open');
});

test('H08 the vacuum goes home only after a pause, and a paused job swallows a new start', () => {
	const cleaning = command(createRoom(1, pace), 'vacuum.neato', 'start');
	expect(stateOf(command(cleaning, 'vacuum.neato', 'return_to_base'), 'vacuum.neato')).toBe('cleaning');
	const paused = command(cleaning, 'vacuum.neato', 'pause');
	expect(stateOf(command(paused, 'button.neato_house_clean', 'press'), 'vacuum.neato')).toBe('paused');
	expect(stateOf(command(paused, 'button.neato_resume_cleaning', 'press'), 'vacuum.neato')).toBe('cleaning');
	const returning = command(paused, 'vacuum.neato', 'return_to_base');
	expect(stateOf(returning, 'vacuum.neato')).toBe('returning');
	expect(stateOf(stepRoom(stepRoom(cleaning, 6_000), 60_000), 'vacuum.neato')).toBe('docked');
});

test('H08 an error stops every movement until it is cleared, and no error reads as code 200 with a newline', () => {
	const well = createRoom(1, pace);
	expect(stateOf(well, 'sensor.neato_robot_error')).toBe('200 - UI_ALERT_INVALID\n');
	expect(stateOf(well, 'sensor.neato_robot_state')).toBe('ST_C_Standby\n');
	const broken = pokeRoom(
		command(well, 'vacuum.neato', 'start'),
		{ kind: 'vacuum_error', error: '12 - UI_ERROR_BRUSH_STUCK' },
		0,
	);
	expect(stateOf(broken, 'vacuum.neato')).toBe('error');
	expect(stateOf(command(broken, 'vacuum.neato', 'pause'), 'vacuum.neato')).toBe('error');
	expect(stepRoom(broken, 3_000).vacuum.at).toEqual(broken.vacuum.at);
	const cleared = command(broken, 'button.neato_clear_errors', 'press');
	expect(stateOf(cleared, 'vacuum.neato')).toBe('cleaning');
	const alert = pokeRoom(well, { kind: 'vacuum_alert', alert: '229 - UI_ALERT_DUST_BIN_FULL' }, 0);
	expect([stateOf(alert, 'vacuum.neato'), stateOf(alert, 'sensor.neato_robot_alert')]).toEqual([
		'docked',
		'229 - UI_ALERT_DUST_BIN_FULL\n',
	]);
});

test('H04 an on/off lamp reports no brightness, and a lamp that is off reports no colour', () => {
	const on = describeRoom(command(createRoom(), 'light.aux1', 'turn_on', { brightness: 10 })).get('light.aux1');
	expect(on).toMatchObject({ state: 'on', attributes: { supported_color_modes: ['onoff'] } });
	expect(on?.attributes).not.toHaveProperty('brightness');
	expect(describeRoom(createRoom()).get('light.bench')).toMatchObject({
		state: 'off',
		attributes: { rgb_color: null },
	});
});

test('OVR-3 rovers drive off, dock again, and bump when they meet', () => {
	let room = pokeRoom(createRoom(3), { kind: 'drive', rover: 'rover1', driver: 'alex' }, 0);
	room = stepRoom(room, 2_000);
	expect([stateOf(room, 'binary_sensor.rover1_driving'), stateOf(room, 'sensor.rover1_driver')]).toEqual([
		'on',
		'alex',
	]);
	expect(stateOf(room, 'binary_sensor.rover1_docked')).toBe('off');
	room = stepRoom(pokeRoom(room, { kind: 'dock', rover: 'rover1' }, 0), 60_000);
	expect(stateOf(room, 'binary_sensor.rover1_docked')).toBe('on');
	room = pokeRoom(pokeRoom(room, { kind: 'drive', rover: 'rover2' }, 0), { kind: 'drive', rover: 'rover3' }, 0);
	let bumps = 0;
	for (let step = 0; step < 3_000 && bumps === 0; step += 1) {
		room = stepRoom(room, 100);
		if (stateOf(room, 'binary_sensor.rover2_hazard') === 'on') bumps += 1;
	}
	expect(bumps).toBe(1);
	expect(stateOf(stepRoom(room, 4_500), 'binary_sensor.rover2_hazard')).toBe('off');
});

test('a poke at a rover that does not exist changes nothing', () => {
	const room = createRoom();
	expect(pokeRoom(room, { kind: 'bump', rover: 'constructor' }, 0)).toBe(room);
});

const entityIds = [...describeRoom(createRoom()).keys()];
const anyCommand = fc.record({
	entityId: fc.constantFrom(...entityIds),
	service: fc.constantFrom(
		'turn_on',
		'turn_off',
		'toggle',
		'open_cover',
		'close_cover',
		'start',
		'pause',
		'return_to_base',
		'press',
	),
	elapsedMs: fc.integer({ min: 0, max: 20_000 }),
});

test('whatever is commanded, the room stays within its bounds and the same seed plays the same room', () => {
	fc.assert(
		fc.property(fc.integer(), fc.array(anyCommand, { maxLength: 20 }), (seed, commands) => {
			const play = () =>
				commands.reduce(
					(room, { entityId, service, elapsedMs }) => stepRoom(command(room, entityId, service), elapsedMs),
					createRoom(seed),
				);
			const room = play();
			expect(play()).toEqual(room);
			expect(room.lift.position).toBeGreaterThanOrEqual(0);
			expect(room.lift.position).toBeLessThanOrEqual(100);
			for (const { x, y } of [room.vacuum.at, ...Object.values(room.rovers).map(({ at }) => at)]) {
				expect(x).toBeGreaterThanOrEqual(0);
				expect(x).toBeLessThanOrEqual(roomSize.width);
				expect(y).toBeGreaterThanOrEqual(0);
				expect(y).toBeLessThanOrEqual(roomSize.height);
			}
			expect([...describeRoom(room).keys()]).toEqual(entityIds);
		}),
		{ numRuns: 60 },
	);
});
