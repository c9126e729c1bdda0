import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/redis.ts';
import { openWatchedRoom, ROOM, type WatchedRoom } from '../../support/watched-room.ts';

let room: WatchedRoom;

beforeAll(async () => {
	room = await openWatchedRoom({
		change: ({ overseer }) => {
			overseer.window.tokenBudget = 20_000;
		},
	});
	await room.fresh();
});
afterAll(() => room.stop());

interface Flight {
	readonly id: string;
	readonly addresses: readonly string[];
}

/** Looks at the room again and again: which decisions were in flight, with whom, and how many requests at once. */
function watch() {
	const flights = new Map<string, Flight>();
	let most = 0;
	let running = true;
	const done = (async () => {
		while (running) {
			const { gate } = await room.stores.rooms.read(ROOM, { messages: 0, events: 0 });
			const decision = gate.inFlight?.decision;
			if (decision)
				flights.set(decision.id, {
					id: decision.id,
					addresses: decision.addresses.map(({ messageId }) => messageId),
				});
			most = Math.max(most, room.model.control.state().pending);
			await sleep(10);
		}
	})();
	return {
		async stop() {
			running = false;
			await done;
			return { flights: [...flights.values()], most };
		},
	};
}

test('OVR-4 D11 a hundred messages of three people, redelivered and while decisions run: each consumed once, no address dropped', async () => {
	const { control } = room.house.discord;
	room.model.control.always({ kind: 'json', value: { mode: 'CHAT', chat: 'Noted.' }, delayMs: 400 });
	const people = ['alex', 'sam', 'casey'];
	const watching = watch();
	const sent: { id: string; addressed: boolean }[] = [];
	for (let index = 0; index < 100; index += 1) {
		const addressed = index % 9 === 4;
		const text = addressed ? `overseer, question number ${index}?` : `chatter ${index} about nothing much`;
		sent.push({ id: await room.say(people[index % people.length] ?? 'sam', text), addressed });
		// The line drops in the middle: what was missed comes again by resume or from the history.
		if (index === 40) await control.gateway({ action: 'drop' });
		if (index === 70) await control.gateway({ action: 'invalid-session', resumable: false });
		await sleep(index % 10 === 0 ? 150 : 8);
	}
	await eventually('all are in the transcript', async () => {
		const { messages } = await room.stores.rooms.read(ROOM, { messages: 400, events: 0 });
		return sent.every(({ id }) => messages.some((line) => line.id === id));
	});
	// The same lines once more, as a second reader of the same channel would bring them.
	const before = await room.stores.rooms.read(ROOM, { messages: 400, events: 0 });
	for (const line of before.messages.filter(({ bot }) => !bot).slice(-20)) {
		const { seq: _seq, ...message } = line;
		expect(await room.stores.bus.publish(message)).toBe('duplicate');
		expect(await room.stores.rooms.addMessage(message)).toBe(false);
	}
	await room.idle();
	const { flights, most } = await watching.stop();

	const { messages } = await room.stores.rooms.read(ROOM, { messages: 400, events: 0 });
	const people2 = messages.filter(({ bot }) => !bot).map(({ id }) => id);
	expect(new Set(people2).size).toBe(people2.length);
	expect(people2).toHaveLength(100);

	const addressed = sent.filter((line) => line.addressed).map(({ id }) => id);
	const decidedOn = flights.flatMap(({ addresses }) => addresses);
	expect([...decidedOn].sort()).toEqual([...addressed].sort());
	expect(most).toBe(1);
	const requests = room.model.control.requests();
	expect(requests.length).toBeLessThan(30);
	const prompts = requests.map((_, index) => room.prompt(index + 1));
	for (const [index] of sent.entries())
		if (index % 9 === 4) expect(prompts.some((text) => text.includes(`question number ${index}?`))).toBe(true);
	// Everybody who asked has an answer behind their question.
	const lines = await control.messages({ channel: 'room', author: 'Majordomo' });
	expect(BigInt(lines.at(-1)?.id ?? 0)).toBeGreaterThan(BigInt(addressed.at(-1) ?? 0));
});

test('OVR-4 a restart in the middle brings no message twice', async () => {
	await room.fresh();
	room.model.control.always({ kind: 'json', value: { mode: 'CHAT', chat: 'Again.' } });
	const asked = await room.say('sam', 'overseer, once only?');
	await room.answer(asked);
	await room.idle();
	const count = room.model.control.requests().length;
	await room.restart();
	const later = await room.say('alex', 'overseer, you back?');
	await room.answer(later);
	await room.idle();
	expect(room.model.control.requests()).toHaveLength(count + 1);
	const answers = await room.house.discord.control.messages({ channel: 'room', author: 'Majordomo', after: asked });
	expect(answers).toHaveLength(2);
});
