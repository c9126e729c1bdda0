import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createClaims } from '../../../adapters/redis/stores/claims.ts';
import type { CallOutcome } from '../../../core/tooling/call.ts';
import type { Claims } from '../../../core/tooling/ledger-port.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

const confirmed: CallOutcome = { kind: 'confirmed', summary: 'lamp is on', result: { on: true }, contextId: 'ctx' };

describe('claims on Redis', () => {
	let server: TestRedis;
	let redis: RedisConnection;
	let claims: Claims;
	let other: Claims;

	beforeAll(async () => {
		server = await startTestRedis();
		redis = await server.connect();
		const second = await server.connect();
		claims = createClaims(redis, createStored(redis));
		other = createClaims(second, createStored(second));
	});
	afterEach(() => server.flush());
	afterAll(() => server.stop());

	test('OVR-24 Q01 of twenty simultaneous claims one wins, the others are in doubt', async () => {
		const states = await Promise.all(
			Array.from({ length: 20 }, (_, index) => (index % 2 ? claims : other).claim('c', 77)),
		);
		expect(states.filter((state) => state.kind === 'won')).toHaveLength(1);
		expect(states.filter((state) => state.kind === 'in_doubt')).toEqual(
			Array(19).fill({ kind: 'in_doubt', since: 77 }),
		);
	});

	test('OVR-24 an open claim tells who made it', async () => {
		expect(await claims.claim('c', 1, 'host a:12')).toEqual({ kind: 'won' });
		expect(await other.claim('c', 2, 'host b:13')).toEqual({ kind: 'in_doubt', since: 1, owner: 'host a:12' });
	});

	test('OVR-24 a settled call hands out its outcome for ever after', async () => {
		await claims.claim('c', 1);
		await claims.settle('c', confirmed);
		expect(await other.claim('c', 2)).toEqual({ kind: 'done', outcome: confirmed });
		expect(await other.outcome('c')).toEqual(confirmed);
	});

	test('OVR-24 the first word stands, except that "unknown" gives way to what really happened', async () => {
		await claims.settle('c', { kind: 'unknown', summary: 'worker died' });
		await other.settle('c', confirmed);
		await claims.settle('c', { kind: 'unknown', summary: 'worker died' });
		await claims.settle('c', { kind: 'failed', code: 'x', summary: 'y' });
		expect(await claims.outcome('c')).toEqual(confirmed);
	});

	test('OVR-24 a claim lives for days', async () => {
		await claims.claim('c', 1);
		expect(await redis.handlers.pttl(redis.keys.call('c'))).toBeGreaterThan(6 * 86_400_000);
	});

	test('OVR-24 a damaged claim is in doubt: nobody acts on it', async () => {
		await redis.handlers.set(redis.keys.call('c'), 'done confirmed {"kind":"conf');
		expect(await claims.claim('c', 5)).toEqual({ kind: 'in_doubt', since: 0 });
		expect(await claims.outcome('c')).toBeUndefined();
	});

	test('OVR-15 waiting for an outcome ends when another process settles, and at once when it is settled', async () => {
		const waiting = claims.waitForOutcome('c', 20_000);
		await other.settle('c', confirmed);
		expect(await waiting).toEqual(confirmed);
		expect(await claims.waitForOutcome('c', 20_000)).toEqual(confirmed);
	});

	test('OVR-5 waiting ends without an outcome at the deadline and on abort', async () => {
		expect(await claims.waitForOutcome('c', 50)).toBeUndefined();
		const controller = new AbortController();
		const waiting = claims.waitForOutcome('c', 600_000, controller.signal);
		controller.abort();
		expect(await waiting).toBeUndefined();
		expect(await claims.waitForOutcome('c', 600_000, controller.signal)).toBeUndefined();
	});
});
