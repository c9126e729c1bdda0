import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultRound, KILL_ROOMS, killRooms, taskScript } from '../../support/kill-rounds.ts';
import { type HouseProcess, openProcessHouse, type ProcessHouse } from '../../support/process-house.ts';

let house: ProcessHouse;
let both: readonly [HouseProcess, HouseProcess];

beforeAll(async () => {
	house = await openProcessHouse({
		script: taskScript,
		channels: KILL_ROOMS.map((_, index) => `kill${index}`),
		change: (settings, channelOf) => killRooms(settings, channelOf, 'cover'),
	});
	both = await Promise.all([house.load('all'), house.load('all')]);
}, 120_000);
afterAll(() => house.close());

async function round(disturb: () => Promise<void>): Promise<void> {
	const { sent, answers } = await faultRound(house, {
		random: Math.random,
		spreadMs: 800,
		aim: 'anywhere',
		disturb,
	});
	for (const [index, commands] of sent.entries())
		expect(new Set(commands).size, `${KILL_ROOMS[index]}: ${commands.join('; ')}`).toBe(commands.length);
	expect(answers).toEqual(KILL_ROOMS.map(() => 1));
}

test('OPS-15 OPS-14 two whole households started in the same moment: each line is answered and acted on once, also when one dies', async () => {
	const [first, second] = both;
	await Promise.all([first.open(), second.open()]);
	await house.discord.control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 30_000 });
	await round(async () => undefined);
	await round(async () => undefined);
	await round(() => first.kill());
	await round(async () => undefined);
	expect(await second.end()).toBe(0);
}, 240_000);
