import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createRedis, type RedisConnection } from '../../adapters/redis/connection.ts';
import { startPrivateServer } from '../../adapters/redis/server/private-server.ts';
import { preparePlace } from '../../adapters/redis/server/socket-path.ts';
import { createStored } from '../../adapters/redis/stored.ts';
import { createClaims } from '../../adapters/redis/stores/claims.ts';
import { createRoomStore } from '../../adapters/redis/stores/room-store.ts';
import type { ChatMessage } from '../../core/chat/message.ts';
import { fillableBinary, setDiskFull } from '../support/full-disk.ts';
import { eventually, startTestRedis, testLog } from '../support/redis.ts';

const line = (id: string, length = 10): ChatMessage => ({
	id,
	room: 'den',
	author: { id: 'u1', name: 'Ana' },
	bot: false,
	text: 'x'.repeat(length),
	at: 1_000,
	mentions: [],
	source: 'discord',
});
const rooms = (redis: RedisConnection) => createRoomStore(redis, createStored(redis));

describe('Redis takes no writes', () => {
	const cleanups: (() => Promise<unknown>)[] = [];
	afterEach(async () => {
		for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
	});

	test('OPS-15 out of memory: a clear error, reads go on, nothing is half written, and it recovers', async () => {
		const server = await startTestRedis({ own: true });
		cleanups.push(() => server.stop());
		const redis = await server.connect();
		const store = rooms(redis);
		await store.addMessage(line('a'));
		await redis.handlers.config('SET', 'maxmemory', '1');
		await expect(store.addMessage(line('b'))).rejects.toMatchObject({
			code: 'redis_refuses_writes',
			reason: 'out_of_memory',
		});
		const claims = createClaims(redis, createStored(redis));
		await expect(claims.claim('c', 1)).rejects.toMatchObject({ code: 'redis_refuses_writes' });
		expect((await store.read('den', { messages: 5, events: 5 })).messages.map((item) => item.id)).toEqual(['a']);
		await redis.handlers.config('SET', 'maxmemory', '0');
		expect(await store.addMessage(line('b'))).toBe(true);
		expect(await claims.claim('c', 1)).toEqual({ kind: 'won' });
	});

	test('OPS-15 a read-only replica: a clear error, and it recovers when it is the master again', async () => {
		const server = await startTestRedis({ own: true });
		cleanups.push(() => server.stop());
		const redis = await server.connect();
		const store = rooms(redis);
		await store.addMessage(line('a'));
		await redis.handlers.call('REPLICAOF', '127.0.0.1', '1');
		await expect(store.addMessage(line('b'))).rejects.toMatchObject({
			code: 'redis_refuses_writes',
			reason: 'read_only',
		});
		const admin = await server.connect();
		await admin.handlers.call('REPLICAOF', 'NO', 'ONE');
		await eventually('writing works', () => store.addMessage(line('b')).catch(() => undefined));
	});

	test('OPS-15 disk full for the private Redis: a clear error, and it recovers when there is room', async () => {
		const dir = await mkdtemp(join(tmpdir(), 'mj-full-'));
		cleanups.push(() => rm(dir, { recursive: true, force: true }));
		const place = await preparePlace(dir);
		const pid = await startPrivateServer(await fillableBinary(dir), place);
		cleanups.push(async () => process.kill(pid, 'SIGKILL'));
		const redis = createRedis({
			where: { kind: 'socket', path: place.socket },
			prefix: 't',
			commandTimeoutMs: 5_000,
			log: testLog(),
			now: Date.now,
		});
		cleanups.push(() => redis.close());
		await redis.ready(10_000);
		const store = rooms(redis);
		await store.addMessage(line('a'));
		await setDiskFull(pid, true);
		let count = 0;
		const error = await eventually('a refusal', () =>
			store.addMessage(line(`m${count++}`, 1_000)).then(
				() => undefined,
				(problem: unknown) => problem,
			),
		);
		expect(error).toMatchObject({ code: 'redis_refuses_writes', reason: 'disk' });
		expect((await store.read('den', { messages: 400, events: 0 })).messages[0]?.id).toBe('a');
		await setDiskFull(pid, false);
		await eventually('writing works', () => store.addMessage(line('z')).catch(() => undefined));
	});
});
