import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createRoomStore } from '../../../adapters/redis/stores/room-store.ts';
import type { ChatMessage } from '../../../core/chat/message.ts';
import { FRESH_GATE } from '../../../core/overseer/gate-state.ts';
import { bucketOf } from '../../../core/overseer/room-bucket.ts';
import type { RoomStore } from '../../../core/overseer/room-store.ts';
import type { WorldEvent } from '../../../core/overseer/trigger.ts';
import { startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

const ALL = { messages: 100, events: 100 };
const line = (id: string, room = 'den'): ChatMessage => ({
	id,
	room,
	author: { id: 'u1', name: 'Ana' },
	bot: false,
	text: `line ${id} "quoted" {} []`,
	at: 1_000,
	mentions: [],
	source: 'discord',
});
const event = (id: string): WorldEvent => ({ id, at: 5, kind: 'dock', subject: 'rover1', text: 'rover1 docked' });

describe('room store on Redis', () => {
	let server: TestRedis;
	let redis: RedisConnection;
	let rooms: RoomStore;
	let other: RoomStore;
	let now = 10_000;
	const reports: object[] = [];

	function open(connection: RedisConnection): RoomStore {
		return createRoomStore(connection, createStored(connection), {
			messages: 50,
			events: 20,
			ids: 100,
			ownContextMs: 60_000,
		});
	}

	beforeAll(async () => {
		server = await startTestRedis();
	});
	afterAll(() => server.stop());
	beforeEach(async () => {
		now = 10_000;
		reports.length = 0;
		const settings = { now: () => now, log: testLog((level, fields) => level === 'error' && reports.push(fields)) };
		redis = await server.connect(settings);
		rooms = open(redis);
		other = open(await server.connect(settings));
	});
	afterEach(async () => {
		await redis.close();
		await server.flush();
	});

	test('OVR-4 a room nobody wrote to is fresh', async () => {
		expect(await rooms.read('den', ALL)).toEqual({
			roomId: 'den',
			version: 0,
			gate: FRESH_GATE,
			messages: [],
			events: [],
			ownContexts: [],
			contextResetAt: 0,
		});
	});

	test('OVR-4 D11 lines are numbered from 1, come back as written, and a known id is not added again', async () => {
		expect(await rooms.addMessage(line('a'))).toBe(true);
		expect(await other.addMessage(line('b'))).toBe(true);
		expect(await other.addMessage(line('a'))).toBe(false);
		const { messages } = await rooms.read('den', ALL);
		expect(messages).toEqual([
			{ ...line('a'), seq: 1 },
			{ ...line('b'), seq: 2 },
		]);
	});

	test('OVR-4 two processes adding at once lose no line and give no number twice', async () => {
		const ids = Array.from({ length: 40 }, (_, index) => `m${index}`);
		const added = await Promise.all(ids.flatMap((id) => [rooms.addMessage(line(id)), other.addMessage(line(id))]));
		expect(added.filter(Boolean)).toHaveLength(40);
		const { messages } = await rooms.read('den', ALL);
		expect(messages.map((item) => item.seq)).toEqual(ids.map((_, index) => index + 1));
		expect(new Set(messages.map((item) => item.id)).size).toBe(40);
	});

	test('OVR-4 the transcript is bounded, the newest stay, and a forgotten line is still a known id', async () => {
		for (let index = 0; index < 60; index += 1) await rooms.addMessage(line(`m${index}`));
		const { messages } = await rooms.read('den', ALL);
		expect(messages).toHaveLength(50);
		expect(messages.at(-1)?.id).toBe('m59');
		expect(await rooms.addMessage(line('m0'))).toBe(false);
		expect((await rooms.read('den', { messages: 3, events: 0 })).messages.map((item) => item.id)).toEqual([
			'm57',
			'm58',
			'm59',
		]);
	});

	test('OVR-3 OVR-4 events have numbers of their own and are known by id', async () => {
		expect(await rooms.addEvent('den', event('e1'))).toBe(true);
		expect(await other.addEvent('den', event('e1'))).toBe(false);
		expect((await rooms.read('den', ALL)).events).toEqual([{ ...event('e1'), seq: 1 }]);
	});

	test('OVR-4 of two commits from the same snapshot one wins', async () => {
		const first = await rooms.read('den', ALL);
		const results = await Promise.all([
			rooms.commit('den', first.version, { ...FRESH_GATE, failures: 1 }, 20_000),
			other.commit('den', first.version, { ...FRESH_GATE, failures: 2 }, 20_000),
		]);
		expect(results.filter(Boolean)).toHaveLength(1);
		const after = await rooms.read('den', ALL);
		expect(after.version).toBeGreaterThan(first.version);
		expect(after.gate.failures).toBe(results[0] ? 1 : 2);
	});

	test('OVR-4 a message that comes between reading and committing keeps the room due', async () => {
		await rooms.addMessage(line('a'));
		const snapshot = await rooms.read('den', ALL);
		now = 11_000;
		await other.addMessage(line('b'));
		expect(await rooms.commit('den', snapshot.version, { ...FRESH_GATE, messageCursor: 1 }, 40_000)).toBe(true);
		expect(await rooms.due(bucketOf('den'), 11_000, 10)).toEqual(['den']);
	});

	test('OVR-1 a commit that consumed everything moves the next look', async () => {
		await rooms.addMessage(line('a'));
		const snapshot = await rooms.read('den', ALL);
		await rooms.commit('den', snapshot.version, { ...FRESH_GATE, messageCursor: 1 }, 40_000);
		expect(await rooms.due(bucketOf('den'), 39_999, 10)).toEqual([]);
		expect(await rooms.due(bucketOf('den'), 40_000, 10)).toEqual(['den']);
		await rooms.commit('den', snapshot.version + 1, { ...FRESH_GATE, messageCursor: 1 }, Number.POSITIVE_INFINITY);
		expect(await rooms.due(bucketOf('den'), Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
	});

	test('OVR-1 a mark that comes between reading and committing is not lost', async () => {
		const snapshot = await rooms.read('den', ALL);
		await other.markDue('den', 10_500);
		expect(await rooms.commit('den', snapshot.version, FRESH_GATE, 40_000)).toBe(false);
		expect(await rooms.due(bucketOf('den'), 10_500, 10)).toEqual(['den']);
	});

	test('OVR-1 due rooms come soonest first, a later mark never postpones', async () => {
		const mates = [
			'den',
			...Array.from({ length: 500 }, (_, index) => `r${index}`).filter((id) => bucketOf(id) === bucketOf('den')),
		];
		const [a, b, c] = mates as [string, string, string];
		await rooms.markDue(a, 300);
		await rooms.markDue(b, 100);
		await rooms.markDue(c, 200);
		await rooms.markDue(b, 900);
		expect(await rooms.due(bucketOf('den'), 1_000, 2)).toEqual([b, c]);
	});

	test('OVR-3 own contexts are remembered for a while', async () => {
		await rooms.addOwnContext('den', 'ctx1');
		expect((await other.read('den', ALL)).ownContexts).toEqual(['ctx1']);
		now += 60_001;
		expect((await other.read('den', ALL)).ownContexts).toEqual([]);
	});

	test('OVR-31 clearing the context is seen by everybody', async () => {
		await rooms.resetContext('den', 123);
		expect((await other.read('den', ALL)).contextResetAt).toBe(123);
	});

	test('OPS-15 a damaged line is left out and named, a damaged gate starts behind what was there', async () => {
		await rooms.addMessage(line('a'));
		await rooms.addMessage(line('b'));
		await redis.handlers.lset(redis.keys.room('den', 'messages'), 0, '1 {"id":');
		await redis.handlers.hset(redis.keys.room('den', 'head'), 'gate', '{"messageCursor":"many"}');
		const { messages, gate } = await rooms.read('den', ALL);
		expect(messages.map((item) => item.id)).toEqual(['b']);
		expect(gate).toEqual({ ...FRESH_GATE, messageCursor: 2 });
		expect(reports.map((fields) => 'key' in fields && fields.key)).toEqual([
			expect.stringContaining('head'),
			expect.stringContaining('messages'),
		]);
		expect(JSON.stringify(reports)).not.toContain('line b');
	});
});
