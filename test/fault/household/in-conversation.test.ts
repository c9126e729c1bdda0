import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelStep } from '../../../demo/model/model-step.ts';
import { fillableBinary, setDiskFull } from '../../support/full-disk.ts';
import { type FaultRound, faultRound, KILL_ROOMS, killRooms, taskFor, taskScript } from '../../support/kill-rounds.ts';
import { openProcessHouse, type ProcessHouse } from '../../support/process-house.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

/*
 * A whole household in a process of its own, with somebody speaking in every room, while one thing around it goes wrong.
 * After each fault everybody has been answered exactly once, every call has an end, and what reached the devices is counted.
 */
let dir: string;
let redis: TestRedis;
let house: ProcessHouse;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), 'mj-full-'));
	redis = await startTestRedis({ binary: await fillableBinary(dir) });
	house = await openProcessHouse({
		redis,
		script: taskScript,
		channels: KILL_ROOMS.map((_, index) => `kill${index}`),
		change(settings, channelOf) {
			killRooms(settings, channelOf, 'cover');
			settings.overseer.decision.deadlineMs = 8_000;
			settings.overseer.backoff = { firstMs: 500, maxMs: 2_000 };
			// Whoever speaks while the model is away is told so each time, so that every question has its answer.
			settings.overseer.chat.honestLineEveryMs = 1;
			settings.redis.commandTimeoutMs = 2_000;
		},
	});
	await (await house.load('all')).open();
	await house.discord.control.waitBot({ bot: 'Majordomo', online: true, timeoutMs: 30_000 });
}, 120_000);
afterAll(async () => {
	await house.close();
	await redis.stop();
	await rm(dir, { recursive: true, force: true });
});

/** For the message of a failing test: what the bot said last in each room. */
async function lastLines(): Promise<string[][]> {
	const { control } = house.discord;
	const lines = (index: number) => control.messages({ channel: `kill${index}`, author: 'Majordomo', limit: 3 });
	return Promise.all(KILL_ROOMS.map(async (_, index) => (await lines(index)).map(({ text }) => text)));
}

/** For the message of a failing test: what was sent in a room, and the rows that tell why. */
function told({ sent, rows }: Awaited<ReturnType<typeof faultRound>>, index: number): string {
	const own = rows.filter(({ room }) => room === `kill${index}`).sort((a, b) => a.at - b.at);
	return JSON.stringify({ sent: sent[index], rows: own }, null, 1);
}

async function round(disturb: () => Promise<unknown>, options: Partial<FaultRound> = {}) {
	const result = await faultRound(house, {
		random: Math.random,
		spreadMs: 1_200,
		aim: 'anywhere',
		disturb: async () => void (await disturb()),
		...options,
	});
	for (const [index, sent] of result.sent.entries())
		expect(new Set(sent).size, `${KILL_ROOMS[index]}: ${told(result, index)}`).toBe(sent.length);
	expect(result.answers, JSON.stringify(await lastLines())).toEqual(KILL_ROOMS.map(() => 1));
	return result;
}

/** The household works as before: in a few rounds in which nothing goes wrong every room acts, whatever it rests from. */
async function worksAsBefore(): Promise<void> {
	const waiting = new Set(KILL_ROOMS.keys());
	for (let tries = 0; tries < 4 && waiting.size > 0; tries += 1) {
		const { sent } = await round(async () => undefined, { spreadMs: 300 });
		for (const [index, commands] of sent.entries()) if (commands.length > 0) waiting.delete(index);
	}
	expect([...waiting].map((index) => KILL_ROOMS[index])).toEqual([]);
}

async function config(name: string, value: string): Promise<void> {
	const admin = await redis.connect();
	await admin.handlers.config('SET', name, value);
	await admin.close();
}

const redisFaults: readonly [string, () => Promise<void>][] = [
	['is paused for 30 seconds', () => redis.pause(30_000)],
	['is killed and started again', () => redis.restart()],
	[
		'is out of memory for some seconds',
		async () => {
			await config('maxmemory', '1');
			await sleep(6_000);
			await config('maxmemory', '0');
		},
	],
	[
		'is read-only for some seconds',
		async () => {
			const admin = await redis.connect();
			await admin.handlers.call('REPLICAOF', '127.0.0.1', '1');
			await sleep(6_000);
			await admin.handlers.call('REPLICAOF', 'NO', 'ONE');
			await admin.close();
		},
	],
	[
		'has a full disk for some seconds',
		async () => {
			await setDiskFull(redis.pid(), true);
			await sleep(6_000);
			await setDiskFull(redis.pid(), false);
		},
	],
];

test.each(redisFaults)(
	'OPS-15 Redis %s in the middle of conversations: nothing lost, nothing done twice',
	async (_, disturb) => {
		await round(disturb);
		await worksAsBefore();
	},
	240_000,
);

/** Asks in every room at once; gives a way to count what came of it. */
async function askEverywhere() {
	const { control } = house.discord;
	const before = house.home.control.calls().length;
	const asked = await Promise.all(
		KILL_ROOMS.map((thing, index) =>
			control.message({ as: 'sam', channel: `kill${index}`, text: `overseer, task ${taskFor(house, thing)}` }),
		),
	);
	const answersIn = async (index: number) =>
		(await control.messages({ channel: `kill${index}`, author: 'Majordomo', after: asked[index]?.id ?? '' })).length;
	return {
		answers: () => Promise.all(KILL_ROOMS.map((_, index) => answersIn(index))),
		/** `service entity` of every command that arrived. */
		sent: () =>
			house.home.control
				.calls()
				.slice(before)
				.map(({ service, entityIds }) => `${service} ${entityIds.join()}`),
	};
}

test('OPS-15 Q02 Redis comes back empty: nothing is done twice, who spoke meanwhile is answered, work and commands go on', async () => {
	// In the middle of things: what only Redis knew is gone, and nothing of it is made up for.
	const interrupted = await askEverywhere();
	await sleep(Math.random() * 600);
	await redis.restart({ empty: true });
	await sleep(4_000);
	expect(interrupted.sent()).toEqual([...new Set(interrupted.sent())]);
	expect((await interrupted.answers()).filter((answers) => answers > 1)).toEqual([]);

	await redis.killHard();
	const asked = await askEverywhere();
	await sleep(2_500);
	await redis.restart({ empty: true });
	await eventually('all are answered', async () => (await asked.answers()).every((answers) => answers > 0), 60_000);
	await sleep(2_000);
	expect(await asked.answers()).toEqual(KILL_ROOMS.map(() => 1));
	expect(asked.sent()).toEqual([...new Set(asked.sent())]);

	const reply = await house.discord.control.command({
		as: 'alex',
		channel: 'admin',
		command: 'admin lights-lock',
		options: { value: 'none' },
		until: 'complete',
		timeoutMs: 20_000,
	});
	expect(reply.message?.allText ?? '').not.toBe('');
	const admin = await redis.connect();
	await eventually('each queue has its beat again', async () => {
		const beats = await admin.handlers.hkeys(`{${redis.prefix}:pulse}:v1`);
		return ['overseer-decide', 'tool-run'].every((name) => beats.includes(name));
	});
	await admin.close();
	await worksAsBefore();
}, 240_000);

const gateway = (action: 'close' | 'drop' | 'reconnect' | 'invalid-session', resumable = false) =>
	house.discord.control.gateway({ action, resumable });

const gatewayFaults: readonly [string, () => Promise<unknown>][] = [
	['is closed', () => gateway('close')],
	['drops without a word and is resumed', () => gateway('drop')],
	['asks for a reconnect', () => gateway('reconnect')],
	['declares the session invalid but resumable', () => gateway('invalid-session', true)],
	['declares the session invalid', () => gateway('invalid-session')],
	[
		'closes and refuses to resume',
		async () => {
			await house.discord.control.gatewayFaults({ resume: 'refuse' });
			await gateway('close');
			await sleep(1_500);
			await house.discord.control.gatewayFaults({ resume: 'normal' });
		},
	],
];

test.each(gatewayFaults)(
	'OPS-15 the gateway %s in the middle of conversations: nothing lost, nothing done twice',
	async (_, disturb) => {
		const { sent } = await round(disturb);
		expect(sent.filter((commands) => commands.length === 0)).toEqual([]);
	},
	120_000,
);

const home = () => house.home.control;
const connected = async () => {
	await eventually('Home Assistant is connected', () => home().world().clients > 0, 60_000);
};

test('OPS-15 Home Assistant restarts in the middle of conversations: nothing is sent twice, everybody is answered', async () => {
	await round(() => home().restart({ downMs: 500, loadMs: 500 }), { aim: 'commands', recover: connected });
	await connected();
	await worksAsBefore();
}, 240_000);

test('OPS-15 the token is revoked in the middle of conversations: everybody is answered, and a valid one is taken up', async () => {
	try {
		await round(async () => home().revokeToken(), { aim: 'commands' });
	} finally {
		home().setToken(house.home.token);
	}
	await connected();
	await worksAsBefore();
}, 240_000);

test('OPS-15 an entity goes while it is asked for: its room is answered, the others act', async () => {
	const { sent } = await round(async () => home().presence('light.shelf', 'removed'), { spreadMs: 500 });
	expect(sent[KILL_ROOMS.indexOf('light.shelf')]?.length).toBeLessThanOrEqual(1);
	expect(sent.slice(1).filter((commands) => commands.length === 0)).toEqual([]);
	const before = home().calls().length;
	await round(async () => undefined, { spreadMs: 300 });
	const named = home()
		.calls()
		.slice(before)
		.flatMap(({ entityIds }) => entityIds);
	expect(named).not.toContain('light.shelf');
	home().presence('light.shelf', 'available');
	await worksAsBefore();
}, 240_000);

const answering = { kind: 'script' } as const;
const modelFaults: readonly [string, ModelStep][] = [
	['hangs', { kind: 'hang', times: 4 }],
	['is cut in the middle of its stream', { ...answering, times: 4, cut: { afterChunks: 1, how: 'reset' } }],
	['ends in the middle of its stream', { ...answering, times: 4, cut: { afterChunks: 1, how: 'end' } }],
	['is overloaded', { kind: 'overload', times: 4 }],
];

test.each(modelFaults)(
	'OPS-15 the model %s in four of eight rooms: these are told so and do nothing, the others act once',
	async (_, step) => {
		house.model.control.reset();
		house.model.control.queue(step);
		const { sent, answers } = await round(async () => undefined, { spreadMs: 300 });
		expect(sent.filter((commands) => commands.length === 0).length).toBeLessThanOrEqual(4);
		expect(answers).toHaveLength(KILL_ROOMS.length);
		house.model.control.reset();
	},
	240_000,
);
