import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createCallLimits } from '../../../adapters/redis/stores/call-limits.ts';
import type { LimitWindow } from '../../../core/access/limits.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

let server: TestRedis;
let redis: RedisConnection;
let other: RedisConnection;
beforeAll(async () => {
	server = await startTestRedis();
	redis = await server.connect();
	other = await server.connect();
});
afterEach(() => server.flush());
afterAll(() => server.stop());

const window = (name: LimitWindow['name'], key: string, max: number, amount = 1): LimitWindow => ({
	name,
	key,
	max,
	amount,
	keepMs: 60_000,
});
const used = async (key: string) => Number(await redis.handlers.get(redis.keys.limit(key)));

test('OPS-18 two processes at once pass exactly as many calls as the limit allows', async () => {
	const [one, two] = [createCallLimits(redis), createCallLimits(other)];
	const both = [window('person', 'p', 10), window('day_calls', 'd', 1_000)];
	const all = await Promise.all(Array.from({ length: 60 }, (_, index) => (index % 2 ? one : two).take(both)));
	expect(all.filter(({ kind }) => kind === 'taken')).toHaveLength(10);
	expect(all.find(({ kind }) => kind === 'full')).toEqual({ kind: 'full', name: 'person' });
	// A refused call takes nothing from the other counters.
	expect([await used('p'), await used('d')]).toEqual([10, 10]);
});

test('OPS-18 money is reserved before the call, corrected after it, and never below nothing', async () => {
	const limits = createCallLimits(redis);
	const day = (usd: number) => [window('day_usd', 'usd', 1_000_000, usd)];
	expect(await limits.take(day(900_000))).toEqual({ kind: 'taken' });
	expect(await limits.take(day(200_000))).toEqual({ kind: 'full', name: 'day_usd' });
	await limits.correct('usd', -850_000);
	expect(await limits.take(day(200_000))).toEqual({ kind: 'taken' });
	await limits.correct('usd', -9_000_000);
	expect(await used('usd')).toBe(0);
	await limits.correct('gone', 5);
	expect(await redis.handlers.exists(redis.keys.limit('gone'))).toBe(0);
});

test('OPS-18 counters end with their time, which a later call does not lengthen', async () => {
	const limits = createCallLimits(redis);
	await limits.take([{ ...window('person', 'p', 10), keepMs: 5_000 }]);
	await limits.take([{ ...window('person', 'p', 10), keepMs: 500_000 }]);
	const left = await redis.handlers.pttl(redis.keys.limit('p'));
	expect(left).toBeGreaterThan(0);
	expect(left).toBeLessThanOrEqual(5_000);
	expect(await limits.take([])).toEqual({ kind: 'taken' });
});
