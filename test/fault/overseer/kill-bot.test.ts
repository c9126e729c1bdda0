import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HouseProcess, openProcessHouse, type ProcessHouse } from '../../support/process-house.ts';
import { eventually } from '../../support/redis.ts';

const KILLS = process.env.FAULT_POINTS ? 25 : 3;
const ROOM = 'workshop';

let house: ProcessHouse;

beforeAll(async () => {
	house = await openProcessHouse({
		// The answer names the question, so that an answer can be told from its double.
		script: ({ messages }) => {
			const asked = messages.flatMap(({ content }) => content.match(/question \d+(?=\?)/g) ?? []);
			return { text: JSON.stringify({ mode: 'CHAT', chat: `You ask ${asked.at(-1) ?? 'nothing'}.` }) };
		},
		change: ({ overseer }) => {
			overseer.gate.heartbeatMs = 3_600_000;
			overseer.gate.idleHeartbeatMs = 0;
		},
	});
}, 120_000);
afterAll(() => house.close());

test(
	`OPS-15 D11 OVR-4 a bot killed at ${KILLS} random moments loses no message and posts no answer twice`,
	async () => {
		const { control } = house.discord;
		const worker = await house.load('worker');
		await worker.open();
		let bot: HouseProcess = await house.load('bot');
		await bot.open();
		await control.waitBot({ bot: 'Majordomo', timeoutMs: 30_000 });
		const asked: { id: string; text: string }[] = [];
		const ask = async () => {
			const text = `question ${1_000 + asked.length}`;
			asked.push({ id: (await control.message({ as: 'sam', channel: 'room', text: `overseer, ${text}?` })).id, text });
		};
		for (let kill = 1; kill <= KILLS; kill += 1) {
			const successor = await house.load('bot');
			const talk = (async () => {
				for (let line = 0; line < 4; line += 1) {
					await ask();
					await sleep(Math.random() * 300);
				}
			})();
			await sleep(Math.random() * 1_000);
			await bot.kill();
			// Somebody speaks while nobody listens.
			await talk;
			await ask();
			await successor.open();
			bot = successor;
			await eventually(
				'everything is in the transcript and decided on',
				async () => {
					const { messages, gate } = await house.stores.rooms.read(ROOM, { messages: 400, events: 0 });
					const seen = new Set(messages.map(({ id }) => id));
					return asked.every(({ id }) => seen.has(id)) && !gate.pending && !gate.inFlight;
				},
				60_000,
			);
		}
		const { messages } = await house.stores.rooms.read(ROOM, { messages: 400, events: 0 });
		const people = messages.filter(({ bot: isBot }) => !isBot).map(({ id }) => id);
		expect(people).toEqual([...new Set(people)]);
		expect(people).toEqual(asked.map(({ id }) => id));

		const said = messages.filter(({ bot: isBot, source }) => isBot && source === 'overseer');
		await eventually(
			'every line of the bus is posted',
			async () => (await control.messages({ channel: 'room', author: 'Majordomo', limit: 500 })).length >= said.length,
			60_000,
		);
		const posted = (await control.messages({ channel: 'room', author: 'Majordomo', limit: 500 })).map(
			({ text }) => text,
		);
		expect(posted).toEqual(said.map(({ text }) => text));
		expect(posted).toEqual([...new Set(posted)]);
		// The last of each group that was decided on together has its own answer.
		expect(posted.at(-1)).toContain(asked.at(-1)?.text);
		expect(await worker.end()).toBe(0);
	},
	30_000 + KILLS * 30_000,
);
