import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLeases } from '../../../adapters/redis/stores/leases.ts';
import type { Leases } from '../../../core/overseer/stores.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

describe('leases on Redis', () => {
	let server: TestRedis;
	let one: Leases;
	let two: Leases;

	beforeAll(async () => {
		server = await startTestRedis();
		one = createLeases(await server.connect());
		two = createLeases(await server.connect());
	});
	afterEach(() => server.flush());
	afterAll(() => server.stop());

	test('OVR-1 of many that ask at once one holds', async () => {
		const owners = await Promise.all(Array.from({ length: 10 }, async () => createLeases(await server.connect())));
		const held = await Promise.all(owners.map((leases) => leases.hold('gate:1', 10_000)));
		expect(held.filter(Boolean)).toHaveLength(1);
	});

	test('OVR-1 the holder renews, others wait, and take over when it stops renewing', async () => {
		expect(await one.hold('gate:1', 300)).toBe(true);
		expect(await two.hold('gate:1', 300)).toBe(false);
		expect(await one.hold('gate:1', 10_000)).toBe(true);
		expect(await two.hold('gate:1', 300)).toBe(false);
		expect(await one.hold('gate:1', 100)).toBe(true);
		await eventually('the other holds', () => two.hold('gate:1', 10_000));
		expect(await one.hold('gate:1', 100)).toBe(false);
	});

	test('OVR-1 only the holder can release', async () => {
		await one.hold('gate:1', 10_000);
		await two.release('gate:1');
		expect(await two.hold('gate:1', 100)).toBe(false);
		await one.release('gate:1');
		expect(await two.hold('gate:1', 100)).toBe(true);
	});

	test('OVR-1 anybody can see whether a lease is held', async () => {
		expect(await two.isHeld('worker-1')).toBe(false);
		await one.hold('worker-1', 10_000);
		expect(await two.isHeld('worker-1')).toBe(true);
		await one.hold('worker-1', 50);
		await eventually('it has run out', async () => !(await two.isHeld('worker-1')));
	});

	test('OVR-1 leases of different names are independent', async () => {
		expect(await one.hold('gate:1', 10_000)).toBe(true);
		expect(await two.hold('gate:2', 10_000)).toBe(true);
	});
});
