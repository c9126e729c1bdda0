import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createFleetStores, type FleetStores } from '../../../adapters/redis/fleet/fleet-stores.ts';
import type { HostAsk } from '../../../core/fleet/host-post.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;
let connection: RedisConnection;
let stores: FleetStores;
let other: FleetStores;
const bounds = { feed: () => ({ maxEvents: 1_000, maxAgeMs: 60_000 }), maxInbox: () => 3 };

beforeAll(async () => {
	redis = await startTestRedis();
	connection = await redis.connect();
	stores = createFleetStores(connection, bounds);
	other = createFleetStores(await redis.connect(), bounds);
});
afterEach(() => redis.flush());
afterAll(() => redis.stop());

const BOX = { host: 'box', directories: ['/srv'] };
const start = (id: string): HostAsk => ({
	kind: 'start',
	id,
	request: { name: 'api', directory: '/srv', ownerId: '1' },
});
const DONE = { kind: 'start', result: { kind: 'started', sessionId: 's1', name: 'api' } } as const;

describe('who holds a machine', () => {
	test('FLT-3 one process at a time; the term grows when the machine changed hands or was free', async () => {
		const { hosts } = stores;
		expect(await hosts.hold(BOX, 'p1', 60_000)).toBe(1);
		expect(await hosts.hold({ ...BOX, directories: ['/srv', '/opt'] }, 'p1', 60_000)).toBe(1);
		expect(await other.hosts.hold(BOX, 'p2', 60_000)).toBeUndefined();
		const [offer] = await other.hosts.offers();
		expect(offer).toMatchObject({ host: 'box', directories: ['/srv', '/opt'] });
		expect(Math.abs((offer?.seenAt ?? 0) - Date.now())).toBeLessThan(60_000);
		await other.hosts.release('box', 'p2');
		expect(await hosts.offers()).toHaveLength(1);
		await hosts.release('box', 'p1');
		expect(await hosts.offers()).toEqual([]);
		expect(await hosts.known()).toEqual(['box']);
		expect(await other.hosts.hold(BOX, 'p2', 100)).toBe(2);
		await eventually('it runs out', async () => (await hosts.offers()).length === 0);
		expect(await hosts.hold(BOX, 'p1', 60_000)).toBe(3);
	});
});

describe('what is asked of a machine', () => {
	test('FLT-3 an ask is taken once, answered once, and the same id asks nothing again', async () => {
		const { hostPost } = stores;
		expect(await hostPost.put('box', start('r1'), 60_000)).toBe('box');
		// Tried again, elsewhere by now: it stays where it is.
		expect(await other.hostPost.put('den', start('r1'), 60_000)).toBe('box');
		expect(await hostPost.take('den', 1)).toEqual([]);
		const [taken] = await hostPost.take('box', 7);
		expect(taken).toMatchObject({ state: 'new', ask: start('r1') });
		expect(taken?.leftMs).toBeGreaterThan(50_000);
		expect(await other.hostPost.take('box', 7)).toEqual([]);
		expect(await hostPost.withdraw('box', 'r1')).toBe(false);
		const waiting = other.hostPost.wait('r1', AbortSignal.timeout(20_000));
		await hostPost.answer('box', 'r1', DONE);
		expect(await waiting).toEqual(DONE);
		expect(await other.hostPost.put('box', start('r1'), 60_000)).toBe('box');
		expect(await hostPost.take('box', 8)).toEqual([]);
		expect(await other.hostPost.wait('r1', AbortSignal.abort())).toEqual(DONE);
	});

	test('FLT-3 what an earlier holder began is broken, what nobody began in time is late, what was taken back is gone', async () => {
		const { hostPost } = stores;
		await hostPost.put('box', start('begun'), 60_000);
		await hostPost.take('box', 1);
		await hostPost.put('box', start('late'), 1);
		await hostPost.put('box', start('back'), 60_000);
		expect(await other.hostPost.withdraw('box', 'back')).toBe(true);
		// Taken within its one millisecond it would count as begun.
		await new Promise((resolve) => setTimeout(resolve, 20));
		await eventually('its time is over', async () => {
			const states = (await hostPost.take('box', 2)).map(({ state, ask }) => `${ask.id} ${state}`).sort();
			expect(states).toEqual(['begun broken', 'late late']);
			return true;
		});
		// Taken back is as if never asked.
		expect(await hostPost.put('den', start('back'), 60_000)).toBe('den');
	});

	test('FLT-15 a call about a session and a new ask are heard on that machine only', async () => {
		const heard: (string | undefined)[] = [];
		const stop = other.hostPost.onCall(
			'box',
			(about) => heard.push(about),
			() => undefined,
		);
		await eventually('it listens', async () => {
			await stores.hostPost.call('box', 's1');
			return heard.includes('s1');
		});
		await stores.hostPost.call('den', 's9');
		await stores.hostPost.put('box', start('r2'), 60_000);
		await eventually('it heard of the ask', () => heard.at(-1) === undefined && heard.length > 1);
		expect(heard).not.toContain('s9');
		await stop();
	});
});
