import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWatchedRoom, type WatchedRoom } from '../../support/watched-room.ts';

// A room of its own: nothing was ever done in it.
let room: WatchedRoom;
beforeAll(async () => {
	room = await openWatchedRoom({});
	await room.fresh();
});
afterAll(() => room.stop());

async function answered(value: unknown): Promise<string> {
	room.model.control.queue({ kind: 'json', value });
	const { text } = await room.answer(await room.say('sam', 'overseer, do something'));
	await room.idle();
	return text;
}

test('OVR-14 having spoken is no deed: done is not said of nothing, nor of a tool that does not exist', async () => {
	expect(await answered({ mode: 'CHAT', chat: 'I am here.' })).toBe('I am here.');
	expect(await answered({ mode: 'CHAT', chat: 'Done.' })).toBe('I have not touched the room.');
	const call = { tool: 'open_garage', args: {} };
	expect(await answered({ mode: 'ACTION+CHAT', chat: 'Done.', calls: [call] })).toBe('I have not touched the room.');
});
