import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RedisConnection } from '../../adapters/redis/connection.ts';
import { RedisUnavailable } from '../../adapters/redis/errors.ts';
import { parseInfo } from '../../adapters/redis/policy.ts';
import { createStores, type Stores } from '../../adapters/redis/stores.ts';
import type { ChatMessage } from '../../core/chat/message.ts';
import { eventually, startTestRedis, type TestRedis } from '../support/redis.ts';

const line = (id: string): ChatMessage => ({
	id,
	room: 'den',
	author: { id: 'u1', name: 'Ana' },
	bot: false,
	text: `line ${id}`,
	at: 1_000,
	mentions: [],
	source: 'discord',
});
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `m${from + index}`);

describe('Redis fails', () => {
	let server: TestRedis;
	let redis: RedisConnection;
	let stores: Stores<unknown>;

	beforeEach(async () => {
		server = await startTestRedis({ own: true });
		redis = await server.connect({ commandTimeoutMs: 700 });
		stores = createStores(redis, { statusSchema: z.unknown(), audit: { maxRows: 1_000, retainMs: 3_600_000 } });
	});
	afterEach(() => server.stop());

	/** Everything acknowledged so far is in the file: the write to it may lag behind a slow disk for a moment. */
	async function written(): Promise<void> {
		await eventually('the append-only file is written', async () => {
			const info = parseInfo(await redis.handlers.info('persistence'));
			return info['aof_buffer_length'] === '0' && info['aof_pending_bio_fsync'] === '0';
		});
	}

	async function back(): Promise<void> {
		await eventually('the connection is back', () => redis.handlers.status === 'ready');
	}

	test('OPS-15 Q02 killed with -9 and started again: nothing acknowledged is lost, nothing is published twice', async () => {
		const heard: string[] = [];
		const stop = stores.bus.consume('relay', async (message) => {
			heard.push(message.id);
		});
		for (const id of ids(0, 50)) await stores.bus.publish(line(id));
		for (const id of ids(0, 50)) await stores.rooms.addMessage(line(id));
		await stores.claims.claim('call', 7);
		await stores.messageClaims.markHandled('c1', '1523456789012345678');
		await stores.memory.write('den', 1, 'kept');
		await eventually('fifty', () => heard.length === 50);
		await written();
		await server.killHard();

		await expect(stores.bus.publish(line('lost'))).rejects.toBeInstanceOf(RedisUnavailable);
		await expect(stores.rooms.addMessage(line('lost'))).rejects.toBeInstanceOf(RedisUnavailable);
		await expect(stores.claims.claim('other', 7)).rejects.toBeInstanceOf(RedisUnavailable);

		await server.restart();
		await back();
		expect(await stores.claims.claim('call', 9)).toEqual({ kind: 'in_doubt', since: 7 });
		expect(await stores.messageClaims.claim('1523456789012345678')).toBe(false);
		expect((await stores.memory.read('den'))[0]).toBe('kept');
		expect((await stores.rooms.read('den', { messages: 100, events: 0 })).messages.map((item) => item.id)).toEqual(
			ids(0, 50),
		);
		expect(await Promise.all(ids(0, 50).map((id) => stores.bus.publish(line(id))))).toEqual(
			Array(50).fill('duplicate'),
		);
		for (const id of ids(50, 60)) await stores.bus.publish(line(id));
		await eventually('the rest', () => heard.length >= 60, 30_000);
		expect(heard).toEqual(ids(0, 60));
		await stop();
	});

	test('OPS-15 frozen: a caller hears so in time, what failed is not published later, and then all goes on', async () => {
		const heard: string[] = [];
		const stop = stores.bus.consume('relay', async (message) => {
			heard.push(message.id);
		});
		await stores.bus.publish(line('before'));
		await eventually('the first', () => heard.length === 1);
		const frozen = server.pause(4_000);
		const asked = performance.now();
		await expect(stores.bus.publish(line('during'))).rejects.toBeInstanceOf(RedisUnavailable);
		await expect(stores.ledger.read('den', 5)).rejects.toBeInstanceOf(RedisUnavailable);
		expect(performance.now() - asked).toBeLessThan(4_000);
		await frozen;
		await back();
		await eventually('publishing works', () => stores.bus.publish(line('after')).catch(() => undefined));
		await eventually('the next message', () => heard.includes('after'));
		expect(heard).toEqual(['before', 'after']);
		expect(await stores.bus.publish(line('during'))).toBe('published');
		await stop();
	});

	test('OPS-15 Q02 comes back empty: groups are made again, leases and topics work, and everybody hears of it', async () => {
		const heard: string[] = [];
		let policies = 0;
		let ready = 0;
		const stop = stores.bus.consume('relay', async (message) => {
			heard.push(message.id);
		});
		stores.site.onChange(() => {
			policies += 1;
		});
		redis.onReady(() => {
			ready += 1;
		});
		await stores.bus.publish(line('a'));
		await stores.rooms.addMessage(line('a'));
		await eventually('the first', () => heard.includes('a'));
		await server.restart({ empty: true });
		await back();
		expect(ready).toBeGreaterThan(1);
		await eventually('the site is read again after the gap', () => policies > 0);
		expect((await stores.rooms.read('den', { messages: 10, events: 0 })).messages).toEqual([]);
		expect(await stores.bus.publish(line('b'))).toBe('published');
		expect(await stores.rooms.addMessage(line('b'))).toBe(true);
		await eventually('the next', () => heard.includes('b'), 30_000);
		expect(heard).toEqual(['a', 'b']);
		await stop();
	});

	test('OPS-15 a reader can be stopped, and the connection closed, while Redis is away', async () => {
		const stop = stores.bus.consume('relay', async () => undefined);
		await server.killHard();
		await stop();
		await redis.close();
	});

	test('OPS-15 waiting for an outcome over an outage ends with it, or with an error at its deadline', async () => {
		const waiting = stores.claims.waitForOutcome('call', 60_000);
		await server.killHard();
		await expect(stores.claims.waitForOutcome('call', 200)).rejects.toBeInstanceOf(RedisUnavailable);
		await server.restart();
		await back();
		await stores.claims.settle('call', { kind: 'confirmed', summary: 'done' });
		expect(await waiting).toEqual({ kind: 'confirmed', summary: 'done' });
	});
});
