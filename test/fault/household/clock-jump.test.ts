import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { faultRound, KILL_ROOMS, killRooms, taskScript } from '../../support/kill-rounds.ts';
import { openProcessHouse, type ProcessHouse } from '../../support/process-house.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

const DAY = 86_400;
const clock: FakeClock | undefined = await createFakeClock();
let redis: TestRedis;
let house: ProcessHouse;

beforeAll(async () => {
	if (!clock) return;
	redis = await startTestRedis({ own: true });
	house = await openProcessHouse({
		redis,
		script: taskScript,
		channels: KILL_ROOMS.map((_, index) => `kill${index}`),
		change: (settings, channelOf) => killRooms(settings, channelOf, 'cover'),
	});
	await (await house.load('bot', clock.env)).open();
	await (await house.load('worker', clock.env)).open();
	await house.discord.control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 30_000 });
}, 120_000);
afterAll(async () => {
	await house?.close();
	await redis?.stop();
	await clock?.remove();
});

// Without the library that moves a process's clock there is nothing to see here; the ledger's own clock is moved elsewhere.
test.runIf(clock !== undefined).each([
	['an hour ahead', 3_600],
	['back to true time', 0],
	['a day back', -DAY],
	['two days ahead of that', DAY],
	['back to true time again', 0],
])(
	'OPS-15 the clock of bot and worker jumps %s in the middle of conversations: nothing lost, nothing done twice, no room stays locked',
	async (_, offsetSeconds) => {
		const round = (disturb: () => Promise<void>) =>
			faultRound(house, { random: Math.random, spreadMs: 1_000, aim: 'anywhere', disturb });
		const jumped = await round(() => clock?.set(offsetSeconds) ?? Promise.resolve());
		const after = await round(async () => undefined);
		for (const { sent, answers } of [jumped, after]) {
			for (const [index, commands] of sent.entries())
				expect(new Set(commands).size, `${KILL_ROOMS[index]}: ${commands.join('; ')}`).toBe(commands.length);
			expect(answers).toEqual(KILL_ROOMS.map(() => 1));
		}
		// The new time is a time like any other.
		expect(after.sent.map((commands, index) => (commands.length > 0 ? '' : KILL_ROOMS[index])).join('')).toBe('');
	},
	240_000,
);
