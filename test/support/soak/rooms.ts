import { setTimeout as sleep } from 'node:timers/promises';
import { KILL_ROOMS } from '../kill-rounds.ts';
import type { SoakHouse } from './soak-house.ts';
import { createTally, type Tally } from './tally.ts';

const LAMPS = KILL_ROOMS.filter((thing) => thing.includes('.'));
const ANSWER_MS = 60_000;

/** Talk in every room: small talk, questions and requests that act. Gives messages, answers and commands. */
export async function soakRooms({ house }: SoakHouse, until: number): Promise<Tally[]> {
	const { control } = house.discord;
	const said = createTally('lines of people');
	const answers = createTally('answers of the Overseer');
	const commands = createTally('commands to devices');
	const asked: { channel: string; mark: string }[] = [];

	async function talk(lamp: string, index: number): Promise<void> {
		const channel = `kill${index}`;
		const posted: string[] = [];
		const say = async (text: string) => {
			said.begun += 1;
			const who = ['sam', 'alex', 'casey'][said.begun % 3] ?? 'sam';
			const { id } = await control.message({ as: who, channel, text });
			posted.push(id);
			return id;
		};
		for (let round = 1; Date.now() < until; round += 1) {
			for (let line = Math.floor(Math.random() * 3); line > 0; line -= 1)
				await say(`it rains outside, ${round}.${line}`);
			const number = index * 100_000 + round;
			const acts = Math.random() < 0.6;
			const state = house.home.control.world().entities[lamp]?.state === 'on' ? 'off' : 'on';
			const before = callsOf(lamp).length;
			const startedAt = performance.now();
			answers.begun += 1;
			if (acts) commands.begun += 1;
			const id = await say(acts ? `overseer, task ${lamp} ${state} #${number}` : `overseer, say #${number}`);
			const mark = `#${number}.`;
			asked.push({ channel, mark });
			const answer = await control
				.waitMessage({ channel, after: id, author: 'Majordomo', contains: mark, timeoutMs: ANSWER_MS })
				.catch(() => undefined);
			if (answer === undefined) answers.lost.push(`${channel} ${mark} ${await linesAfter(channel, id)}`);
			else answers.tookMs.push(performance.now() - startedAt);
			const sent = callsOf(lamp).length - before;
			if (acts && sent === 0) commands.lost.push(`${channel} ${mark}`);
			if (sent > (acts ? 1 : 0)) commands.doubled.push(`${channel} ${mark}: ${sent}`);
			if (acts && sent === 1) commands.ended += 1;
			await look(`kill${index}`, posted);
			await sleep(Math.random() * 400);
		}
	}

	const callsOf = (lamp: string) => house.home.control.calls().filter(({ entityIds }) => entityIds.includes(lamp));
	const linesAfter = async (channel: string, after: string) =>
		JSON.stringify((await control.messages({ channel, after })).map(({ text }) => text));

	/** Each line of a person is in the room's transcript, once. */
	async function look(roomId: string, posted: string[]): Promise<void> {
		const { messages } = await house.stores.rooms.read(roomId, { messages: 60, events: 0 });
		for (const id of posted.splice(0)) {
			const found = messages.filter((message) => message.id === id).length;
			if (found === 1) said.ended += 1;
			else (found === 0 ? said.lost : said.doubled).push(`${roomId} ${id}: ${found}`);
		}
	}

	await Promise.all(LAMPS.map((lamp, index) => talk(lamp, index)));
	await sleep(5_000);
	for (const channel of LAMPS.map((_, index) => `kill${index}`)) {
		const lines = await control.messages({ channel, author: 'Majordomo', limit: 100_000 });
		for (const { mark } of asked.filter((each) => each.channel === channel)) {
			const found = lines.filter(({ text }) => text.includes(mark)).length;
			if (found === 1) answers.ended += 1;
			else if (found > 1) answers.doubled.push(`${channel} ${mark}: ${found}`);
		}
	}
	return [said, answers, commands];
}
