import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWatchedRoom, type WatchedRoom } from '../../support/watched-room.ts';

let room: WatchedRoom;
beforeAll(async () => {
	room = await openWatchedRoom({});
	await room.fresh();
});
afterAll(() => room.stop());

test('OVR-9 OVR-11 the model is told which of two people with one name spoke to it', async () => {
	await room.house.discord.control.nickname({ who: 'casey', nick: 'Sam' });
	await room.say('sam', 'good morning');
	const asked = await room.say('casey', 'overseer, who are you?');
	await room.answer(asked);
	expect(room.prompt(1)).toContain('Sam: good morning');
	expect(room.prompt(1)).toContain('Sam (2): overseer, who are you?');
	expect(room.prompt(1)).toContain('addressed_by=Sam (2)');
});
