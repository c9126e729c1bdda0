import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createBus } from '../../../adapters/redis/stores/bus.ts';
import { createLeases } from '../../../adapters/redis/stores/leases.ts';
import type { ChatBus, TypingSignal } from '../../../core/chat/bus-port.ts';
import type { ChatMessage } from '../../../core/chat/message.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

const LIMITS = { messages: 1_000, idMs: 60_000, leaseMs: 2_000, backlogMs: 600_000 };
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

describe('chat bus on Redis', () => {
	let server: TestRedis;
	let removers: (() => Promise<void>)[] = [];

	async function openBus(): Promise<{ bus: ChatBus; redis: RedisConnection }> {
		const redis = await server.connect();
		return { redis, bus: createBus(redis, createStored(redis), createLeases(redis), LIMITS) };
	}

	function hear(bus: ChatBus, group = 'relay'): string[] {
		const heard: string[] = [];
		removers.push(
			bus.consume(group, async (message) => {
				heard.push(message.id);
			}),
		);
		return heard;
	}

	beforeAll(async () => {
		server = await startTestRedis();
	});
	beforeEach(() => {
		removers = [];
	});
	afterEach(async () => {
		await Promise.all(removers.map((remove) => remove()));
		await server.flush();
	});
	afterAll(() => server.stop());

	test('OVR-4 OPS-14 what was published before a group existed arrives, in order, in every group', async () => {
		const { bus } = await openBus();
		for (const id of ['a', 'b', 'c']) await bus.publish(line(id));
		const relay = hear(bus);
		const window = hear(bus, 'window');
		await bus.publish(line('d'));
		await eventually('all four in both', () => relay.length === 4 && window.length === 4);
		expect(relay).toEqual(['a', 'b', 'c', 'd']);
		expect(window).toEqual(['a', 'b', 'c', 'd']);
	});

	test('D11 the same id published by two processes at once is one message', async () => {
		const [{ bus: one }, { bus: two }] = await Promise.all([openBus(), openBus()]);
		const results = await Promise.all([one.publish(line('a')), two.publish(line('a')), one.publish(line('a'))]);
		expect(results.filter((result) => result === 'published')).toHaveLength(1);
		const heard = hear(one);
		await one.publish(line('end'));
		await eventually('the end', () => heard.includes('end'));
		expect(heard).toEqual(['a', 'end']);
	});

	test('OPS-15 at most one member of a group reads at a time, and each message is read once', async () => {
		const [{ bus: one }, { bus: two }] = await Promise.all([openBus(), openBus()]);
		const first = hear(one);
		const second = hear(two);
		for (let index = 0; index < 50; index += 1) await one.publish(line(`m${index}`));
		await eventually('fifty', () => first.length + second.length >= 50);
		expect([...first, ...second].sort()).toEqual(Array.from({ length: 50 }, (_, index) => `m${index}`).sort());
		expect(Math.min(first.length, second.length)).toBe(0);
	});

	test('OPS-15 a reader that stops hands over at once, with what it had not handled', async () => {
		const [{ bus: one }, { bus: two }] = await Promise.all([openBus(), openBus()]);
		const first: string[] = [];
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const stop = one.consume('relay', async (message) => {
			first.push(message.id);
			await held;
		});
		for (const id of ['a', 'b', 'c']) await one.publish(line(id));
		await eventually('the first in hand', () => first.length === 1);
		const second = hear(two);
		const stopped = stop();
		release();
		await stopped;
		await eventually('the rest', () => second.length === 2);
		expect(first).toEqual(['a']);
		expect(second).toEqual(['b', 'c']);
	});

	test('OPS-15 a failing handler gets the same message again and nothing overtakes it', async () => {
		const { bus } = await openBus();
		const seen: string[] = [];
		removers.push(
			bus.consume('relay', async (message) => {
				seen.push(message.id);
				if (seen.length < 3) throw new Error('not now');
			}),
		);
		await bus.publish(line('a'));
		await bus.publish(line('b'));
		await eventually('both', () => seen.includes('b'));
		expect(seen).toEqual(['a', 'a', 'a', 'b']);
	});

	test('OPS-15 a damaged entry is passed over', async () => {
		const { bus, redis } = await openBus();
		await redis.handlers.xadd(redis.keys.bus('messages'), '*', 'm', '{"id":1}');
		await redis.handlers.xadd(redis.keys.bus('messages'), '*', 'other', 'field');
		await bus.publish(line('a'));
		const heard = hear(bus);
		await eventually('the good one', () => heard.length > 0);
		expect(heard).toEqual(['a']);
		await eventually('nothing pending', async () => {
			const [pending] = (await redis.handlers.xpending(redis.keys.bus('messages'), 'relay')) as [number];
			return pending === 0;
		});
	});

	test('Q10 the stream is bounded', async () => {
		const { redis } = await openBus();
		const small = createBus(redis, createStored(redis), createLeases(redis), { ...LIMITS, messages: 100 });
		for (let index = 0; index < 600; index += 1) await small.publish(line(`m${index}`));
		expect(await redis.handlers.xlen(redis.keys.bus('messages'))).toBeLessThan(300);
	});

	test('OVR-1 typing signals reach every process until the listener is removed', async () => {
		const [{ bus: one }, { bus: two }] = await Promise.all([openBus(), openBus()]);
		const heard: TypingSignal[] = [];
		const remove = two.onTyping((signal) => heard.push(signal));
		await eventually('a signal', async () => {
			await one.typing({ room: 'den', source: 'overseer', until: 5 });
			return heard.length > 0;
		});
		expect(heard[0]).toEqual({ room: 'den', source: 'overseer', until: 5 });
		await remove();
		const before = heard.length;
		await one.typing({ room: 'den', source: 'overseer', until: 6 });
		await one.typing({ room: 'den', source: 'overseer', until: 7 });
		expect(heard.length).toBe(before);
	});
});
