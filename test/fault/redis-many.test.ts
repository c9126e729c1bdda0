import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRedis, type RedisConnection } from '../../adapters/redis/connection.ts';
import { createStores } from '../../adapters/redis/stores.ts';
import { parseRedisUrl } from '../../adapters/redis/target.ts';
import type { ChatMessage } from '../../core/chat/message.ts';
import { FRESH_GATE } from '../../core/overseer/gate-state.ts';
import { bucketOf } from '../../core/overseer/room-bucket.ts';
import { eventually, testLog } from '../support/redis.ts';
import { startTestCluster } from '../support/redis-cluster.ts';
import { startTcpRedis, type TcpRedis } from '../support/tcp-redis.ts';

const line = (id: string, room: string): ChatMessage => ({
	id,
	room,
	author: { id: 'u1', name: 'Ana' },
	bot: false,
	text: 'hello',
	at: 1_000,
	mentions: [],
	source: 'discord',
});

describe('several Redis servers', () => {
	const cleanups: (() => Promise<unknown>)[] = [];
	afterEach(async () => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	});

	async function server(flags: string[], config?: string): Promise<TcpRedis> {
		const started = await startTcpRedis(flags, config);
		cleanups.push(() => started.kill());
		return started;
	}

	async function connect(url: string): Promise<RedisConnection> {
		const redis = createRedis({
			where: parseRedisUrl(url),
			prefix: 't',
			commandTimeoutMs: 3_000,
			log: testLog(),
			now: Date.now,
		});
		cleanups.push(() => redis.close());
		await redis.ready(30_000);
		return redis;
	}

	/** One use of each store; every script must stay within one slot. */
	async function useEverything(redis: RedisConnection, room: string): Promise<void> {
		const stores = createStores(redis, { statusSchema: z.unknown(), audit: { maxRows: 100, retainMs: 3_600_000 } });
		const id = `id-${room}`;
		expect(await stores.rooms.addMessage(line(id, room))).toBe(true);
		const { version, messages } = await stores.rooms.read(room, { messages: 5, events: 5 });
		expect(messages).toHaveLength(1);
		expect(await stores.rooms.commit(room, version, { ...FRESH_GATE, messageCursor: 1 }, 5)).toBe(true);
		await stores.rooms.markDue(room, 1);
		expect(await stores.rooms.due(bucketOf(room), 10, 10_000)).toContain(room);
		await stores.rooms.addOwnContext(room, 'ctx');
		const attempt = {
			roomId: room,
			family: 'lift',
			callId: id,
			now: 5,
			cooldownMs: 5,
			ignoreCooldown: false,
			spend: true,
		} as const;
		expect(await stores.ledger.attempt({ ...attempt, limits: { perMinute: 1, perHour: 1 }, runningUntil: 6 })).toEqual({
			ok: true,
		});
		expect((await stores.ledger.read(room, 6)).budget.minuteUsed).toBe(1);
		await stores.ledger.release(room, 'lift', id);
		expect(await stores.claims.claim(id, 5)).toEqual({ kind: 'won' });
		const waiting = stores.claims.waitForOutcome(id, 20_000);
		await stores.claims.settle(id, { kind: 'confirmed', summary: 'ok' });
		expect(await waiting).toBeDefined();
		const row = {
			id,
			at: 5,
			room,
			decisionId: 'd',
			callId: id,
			tool: 'lift_up',
			step: 'running',
			trigger: 'heartbeat',
		} as const;
		await stores.audit.append(row);
		expect(await stores.audit.query({ room, limit: 5 })).toEqual([row]);
		await stores.memory.write(room, 1, 'note');
		await stores.site.setPaused(false);
		await stores.overrides.set(room, { stage: 'chat' });
		await stores.votes.set(room, 'u', 'no');
		await stores.journal.keepNote(id, 'n', 1);
		await stores.status.write(room, { a: 1 });
		await stores.rovers.write(room, { id: 'r', driving: false, available: true }, Date.now());
		expect(await stores.leases.hold(id, 5_000)).toBe(true);
		await stores.leases.release(id);
		expect(await stores.messageClaims.claim(id)).toBe(true);
		await stores.messageClaims.markHandled(room, '1523456789012345678');
		expect(await stores.bus.publish(line(id, room))).toBe('published');
	}

	test('OPS-2 OPS-5 a cluster of three: every store works, whatever slot its keys are in, and the bus is read', async () => {
		const cluster = await startTestCluster();
		cleanups.push(() => cluster.close());
		const redis = await connect(cluster.url);
		const rooms = Array.from({ length: 8 }, (_, index) => `room-${index}`);
		for (const room of rooms) await useEverything(redis, room);
		const stores = createStores(redis, { statusSchema: z.unknown(), audit: { maxRows: 100, retainMs: 3_600_000 } });
		expect(await stores.audit.query({ limit: 50 })).toHaveLength(8);
		const heard: string[] = [];
		const stop = stores.bus.consume('relay', async (message) => {
			heard.push(message.room);
		});
		await eventually('all messages', () => heard.length === 8);
		expect(heard).toEqual(rooms);
		await stop();
	}, 120_000);

	test('OPS-2 OPS-15 a master dies under Sentinel: the replica is found and work goes on', async () => {
		const master = await server(['--save', '']);
		const replica = await server(['--save', '', '--replicaof', '127.0.0.1', String(master.port)]);
		const sentinel = await server(
			['--sentinel'],
			[
				`sentinel monitor main 127.0.0.1 ${master.port} 1`,
				'sentinel down-after-milliseconds main 1000',
				'sentinel failover-timeout main 5000',
				'',
			].join('\n'),
		);
		const watcher = new Redis(sentinel.port, '127.0.0.1');
		cleanups.push(async () => watcher.disconnect());
		await eventually(
			'the sentinel knows the replica',
			async () => JSON.stringify(await watcher.call('SENTINEL', 'REPLICAS', 'main')).includes(String(replica.port)),
			60_000,
		);
		const redis = await connect(`redis+sentinel://127.0.0.1:${sentinel.port}/main`);
		await useEverything(redis, 'den');
		await eventually(
			'the replica has it',
			async () => Number(await redis.handlers.call('WAIT', 1, 1_000)) === 1,
			60_000,
		);
		await master.kill();
		await expect(redis.ask((client) => client.set('x', 1))).rejects.toMatchObject({ code: 'redis_unavailable' });
		await eventually(
			'writing works on the replica',
			() => redis.ask((client) => client.set('x', 1)).catch(() => undefined),
			60_000,
		);
		const stores = createStores(redis, { statusSchema: z.unknown(), audit: { maxRows: 100, retainMs: 3_600_000 } });
		expect((await stores.rooms.read('den', { messages: 5, events: 5 })).messages).toHaveLength(1);
		await useEverything(redis, 'attic');
	}, 120_000);
});
