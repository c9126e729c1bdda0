import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../adapters/redis/connection.ts';
import { createStored } from '../../adapters/redis/stored.ts';
import { createBus } from '../../adapters/redis/stores/bus.ts';
import { createLeases } from '../../adapters/redis/stores/leases.ts';
import { describeTarget } from '../../adapters/redis/target.ts';
import type { ChatBus } from '../../core/chat/bus-port.ts';
import type { ChatMessage } from '../../core/chat/message.ts';
import { startChild, type TestChild } from '../support/child.ts';
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

describe('a process that reads the bus', () => {
	let server: TestRedis;
	let redis: RedisConnection;
	let bus: ChatBus;
	const children: TestChild[] = [];

	function reader(...args: string[]): TestChild {
		const url = describeTarget(server.where).replace('unix:', 'unix://');
		const child = startChild('test/support/bus-reader-process.ts', [url, server.prefix, ...args]);
		children.push(child);
		return child;
	}

	beforeAll(async () => {
		server = await startTestRedis({ own: true });
		redis = await server.connect();
		bus = createBus(redis, createStored(redis), createLeases(redis));
	});
	afterEach(async () => {
		await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
		await server.flush();
	});
	afterAll(() => server.stop());

	test('OVR-1 OPS-15 is killed with a message in hand: another takes over within ten seconds and begins with that message', async () => {
		const first = reader('hang');
		for (const id of ['a', 'b', 'c']) await bus.publish(line(id));
		await eventually('the first has it in hand', () => first.lines.length === 1, 60_000);
		const second = reader();
		// The second runs and waits for the lease before the first dies.
		await eventually(
			'the second is connected',
			async () => {
				const list = String(await redis.handlers.client('LIST'));
				return list.split('\n').filter((item) => item.includes('bus-relay')).length === 2;
			},
			60_000,
		);
		await first.end('SIGKILL');
		const died = Date.now();
		await eventually('the second has all', () => second.lines.length === 3, 60_000);
		expect(second.lines).toEqual(['a', 'b', 'c']);
		expect(first.lines).toEqual(['a']);
		// The lease is 8 s and is asked for every second.
		expect(Date.now() - died).toBeLessThan(15_000);
		await eventually('nothing is pending', async () => {
			const [pending] = await redis.handlers.xpending(redis.keys.bus('messages'), 'relay');
			return pending === 0;
		});
	});

	test('OVR-1 OPS-15 is frozen past its lease: it takes nothing more when it wakes while another reads', async () => {
		const first = reader();
		await bus.publish(line('a'));
		await eventually('the first reads', () => first.lines.length === 1, 60_000);
		first.process.kill('SIGSTOP');
		const second = reader();
		await bus.publish(line('b'));
		await eventually('the second reads', () => second.lines.length === 1, 60_000);
		first.process.kill('SIGCONT');
		for (const id of ['c', 'd', 'e']) await bus.publish(line(id));
		await eventually('the second has the rest', () => second.lines.length >= 4, 60_000);
		expect(second.lines).toEqual(['b', 'c', 'd', 'e']);
		expect(first.lines).toEqual(['a']);
	});

	test('OVR-1 OPS-15 takes over again from the one that took over from it, beginning with what that one had in hand', async () => {
		const first = reader();
		await bus.publish(line('a'));
		await eventually('the first reads', () => first.lines.length === 1, 60_000);
		first.process.kill('SIGSTOP');
		const second = reader('hang');
		for (const id of ['b', 'c']) await bus.publish(line(id));
		await eventually('the second has it in hand', () => second.lines.length === 1, 60_000);
		first.process.kill('SIGCONT');
		await second.end('SIGKILL');
		await bus.publish(line('d'));
		await eventually('the first has the rest', () => first.lines.length === 4, 60_000);
		expect(first.lines).toEqual(['a', 'b', 'c', 'd']);
	});
});
