import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { openWatchedRoom, ROOM, type WatchedRoom } from '../../support/watched-room.ts';

let room: WatchedRoom;
const BEAT_MS = 5_000;

beforeAll(async () => {
	room = await openWatchedRoom({
		change: ({ overseer }) => {
			overseer.gate.heartbeatMs = BEAT_MS;
			overseer.gate.idleHeartbeatMs = 0;
			overseer.gate.tickMs = 1_000;
		},
	});
	room.house.home.control.poke({ kind: 'presence', present: false });
	await room.fresh();
});
afterAll(() => room.stop());

const control = () => room.house.home.control;
const beats = () =>
	room.model.control.requests().filter((_, index) => room.prompt(index + 1).includes('trigger: heartbeat')).length;

test('OVR-6 OVR-27 heartbeats come while somebody is there, none in an empty room and none while the stage is off', async () => {
	room.model.control.always({ kind: 'json', value: { mode: 'SKIP' } });
	control().poke({ kind: 'presence', present: false });
	await sleep(BEAT_MS + 1_500);
	expect(room.model.control.requests()).toHaveLength(0);

	control().poke({ kind: 'presence', present: true });
	await eventually('a heartbeat', () => beats() > 0);

	await room.idle();
	await room.stores.overrides.set(ROOM, { stage: 'off' });
	const before = room.model.control.requests().length;
	await room.say('sam', 'overseer, are you awake?');
	await room.say('sam', 'bet you cannot scare me');
	control().poke({ kind: 'bump', rover: 'rover1' });
	await eventually('the gate has seen it', async () => {
		const { gate } = await room.stores.rooms.read(ROOM, { messages: 0, events: 0 });
		return gate.lastHold?.reason === 'stage_off';
	});
	await sleep(BEAT_MS + 1_500);
	expect(room.model.control.requests()).toHaveLength(before);
}, 120_000);
