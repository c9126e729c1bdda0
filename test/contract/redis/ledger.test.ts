import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createLedger } from '../../../adapters/redis/stores/ledger.ts';
import type { Ledger } from '../../../core/tooling/ledger-port.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

type Attempt = Parameters<Ledger['attempt']>[0];
const attempt = (change: Partial<Attempt> & { callId: string }): Attempt => ({
	roomId: 'den',
	family: 'lift',
	now: 1_000_000,
	cooldownMs: 25_000,
	ignoreCooldown: false,
	spend: true,
	limits: { perMinute: 6, perHour: 60 },
	runningUntil: 1_000_000,
	...change,
});

describe('ledger on Redis', () => {
	let server: TestRedis;
	let ledger: Ledger;
	let other: Ledger;

	beforeAll(async () => {
		server = await startTestRedis();
		const [one, two] = await Promise.all([server.connect(), server.connect()]);
		ledger = createLedger(one, createStored(one));
		other = createLedger(two, createStored(two));
	});
	afterEach(() => server.flush());
	afterAll(() => server.stop());

	test('OVR-22 a room without attempts is free', async () => {
		expect(await ledger.read('den', 5)).toEqual({ readyAt: {}, running: [], budget: { minuteUsed: 0, hourUsed: 0 } });
	});

	test('OVR-22 an attempt starts the cooldown of its family only, seen by every process', async () => {
		expect(await ledger.attempt(attempt({ callId: 'a' }))).toEqual({ ok: true });
		expect(await other.attempt(attempt({ callId: 'b', now: 1_024_999 }))).toEqual({
			ok: false,
			reason: 'cooldown',
			freeAt: 1_025_000,
		});
		expect(await other.attempt(attempt({ callId: 'c', family: 'light', now: 1_001_000 }))).toEqual({ ok: true });
		expect(await other.attempt(attempt({ callId: 'd', now: 1_025_000 }))).toEqual({ ok: true });
		expect((await ledger.read('den', 1_025_000)).readyAt.lift).toBe(1_050_000);
	});

	test('OVR-22 a direct answer ignores the cooldown and still starts it', async () => {
		const chat = { family: 'chat' as const, spend: false, cooldownMs: 8_000 };
		await ledger.attempt(attempt({ ...chat, callId: 'a' }));
		expect(await ledger.attempt(attempt({ ...chat, callId: 'b', now: 1_002_000, ignoreCooldown: true }))).toEqual({
			ok: true,
		});
		expect(await ledger.attempt(attempt({ ...chat, callId: 'c', now: 1_009_000 }))).toMatchObject({
			reason: 'cooldown',
			freeAt: 1_010_000,
		});
		expect((await ledger.read('den', 1_002_000)).budget.minuteUsed).toBe(0);
	});

	test('OVR-22 of twenty simultaneous attempts of two processes on one family one passes', async () => {
		const results = await Promise.all(
			Array.from({ length: 20 }, (_, index) => (index % 2 ? ledger : other).attempt(attempt({ callId: `c${index}` }))),
		);
		expect(results.filter((result) => result.ok)).toHaveLength(1);
	});

	test('OVR-22 the budget of a minute holds over families and processes and frees unit by unit', async () => {
		const limits = { perMinute: 3, perHour: 60 };
		const book = (callId: string, now: number) =>
			(Number(callId.slice(1)) % 2 ? ledger : other).attempt(
				attempt({ callId, now, limits, cooldownMs: 0, runningUntil: now }),
			);
		for (const [callId, now] of [
			['c1', 1_000_000],
			['c2', 1_010_000],
			['c3', 1_020_000],
		] as const)
			expect(await book(callId, now)).toEqual({ ok: true });
		expect(await book('c4', 1_030_000)).toEqual({ ok: false, reason: 'rate_limit', freeAt: 1_060_000 });
		expect((await other.read('den', 1_030_000)).budget).toMatchObject({
			minuteUsed: 3,
			hourUsed: 3,
			minuteFreeAt: 1_060_000,
		});
		expect(await book('c5', 1_060_000)).toEqual({ ok: true });
		expect(await book('c6', 1_060_000)).toEqual({ ok: false, reason: 'rate_limit', freeAt: 1_070_000 });
	});

	test('OVR-22 of thirty simultaneous attempts of two processes exactly the budget passes', async () => {
		const results = await Promise.all(
			Array.from({ length: 30 }, (_, index) =>
				(index % 2 ? ledger : other).attempt(
					attempt({ callId: `c${index}`, cooldownMs: 0, limits: { perMinute: 6, perHour: 60 } }),
				),
			),
		);
		expect(results.filter((result) => result.ok)).toHaveLength(6);
	});

	test('OVR-22 the budget of an hour holds when the minute is free', async () => {
		const limits = { perMinute: 6, perHour: 2 };
		for (const [callId, now] of [
			['a', 0],
			['b', 600_000],
		] as const)
			await ledger.attempt(attempt({ callId, now: 1_000_000 + now, limits, cooldownMs: 0, runningUntil: 0 }));
		expect(await ledger.attempt(attempt({ callId: 'c', now: 2_000_000, limits, cooldownMs: 0 }))).toEqual({
			ok: false,
			reason: 'rate_limit',
			freeAt: 4_600_000,
		});
	});

	test('OVR-22 a limit that was lowered under what is spent waits for enough to free', async () => {
		for (let index = 0; index < 4; index += 1)
			await ledger.attempt(
				attempt({ callId: `c${index}`, now: 1_000_000 + index * 1_000, cooldownMs: 0, runningUntil: 0 }),
			);
		const late = attempt({ callId: 'x', now: 1_010_000, cooldownMs: 0, limits: { perMinute: 2, perHour: 60 } });
		expect(await ledger.attempt(late)).toEqual({ ok: false, reason: 'rate_limit', freeAt: 1_062_000 });
	});

	test('OVR-12 a running family is busy until it is released by its own call or its time is over', async () => {
		await ledger.attempt(attempt({ callId: 'a', cooldownMs: 0, runningUntil: 1_030_000 }));
		expect(await other.attempt(attempt({ callId: 'b', now: 1_001_000 }))).toEqual({
			ok: false,
			reason: 'busy',
			freeAt: 1_030_000,
		});
		expect((await other.read('den', 1_001_000)).running).toEqual(['lift']);
		await other.release('den', 'lift', 'b');
		expect((await other.read('den', 1_001_000)).running).toEqual(['lift']);
		await other.release('den', 'lift', 'a');
		expect((await other.read('den', 1_001_000)).running).toEqual([]);
		await ledger.attempt(attempt({ callId: 'c', now: 1_001_000, cooldownMs: 0, runningUntil: 1_002_000 }));
		expect(await other.attempt(attempt({ callId: 'd', now: 1_002_000 }))).toEqual({ ok: true });
	});

	test('OVR-24 OPS-15 a call that runs beside others neither minds a running one nor holds one up', async () => {
		await ledger.attempt(attempt({ callId: 'a', cooldownMs: 0, runningUntil: 1_030_000 }));
		const beside = attempt({ callId: 'b', now: 1_001_000, cooldownMs: 0, runningUntil: undefined });
		expect(await other.attempt(beside)).toEqual({ ok: true });
		await ledger.release('den', 'lift', 'a');
		expect((await ledger.read('den', 1_001_000)).running).toEqual([]);
		expect(await ledger.attempt(attempt({ callId: 'c', now: 1_001_000, cooldownMs: 0 }))).toEqual({ ok: true });
	});

	test('OVR-24 the same call booked again, after a lost reply, passes and spends nothing more', async () => {
		await ledger.attempt(attempt({ callId: 'a', runningUntil: 1_030_000 }));
		expect(await other.attempt(attempt({ callId: 'a', now: 1_000_500 }))).toEqual({ ok: true });
		expect((await ledger.read('den', 1_001_000)).budget.minuteUsed).toBe(1);
	});

	test('OVR-24 that holds for calls without budget too, while they run and after they are released', async () => {
		const chat = attempt({ callId: 'a', family: 'chat', spend: false, runningUntil: 1_030_000 });
		await ledger.attempt(chat);
		expect(await other.attempt(chat)).toEqual({ ok: true });
		await ledger.release('den', 'chat', 'a');
		expect(await other.attempt(chat)).toEqual({ ok: true });
	});

	test('OPS-15 a clock that is set back by a day does not lock the room for a day', async () => {
		await ledger.attempt(
			attempt({ callId: 'a', now: 90_000_000, limits: { perMinute: 1, perHour: 60 }, runningUntil: 0 }),
		);
		const now = 3_600_000;
		expect((await ledger.read('den', now)).readyAt.lift).toBe(now + 25_000);
		expect((await ledger.read('den', now)).budget.minuteFreeAt).toBe(now + 60_000);
		const again = { limits: { perMinute: 1, perHour: 60 }, ignoreCooldown: true, runningUntil: 0 };
		expect(await ledger.attempt(attempt({ ...again, callId: 'b', now }))).toEqual({
			ok: false,
			reason: 'rate_limit',
			freeAt: now + 60_000,
		});
		expect(await ledger.attempt(attempt({ ...again, callId: 'c', now: now + 60_000 }))).toEqual({ ok: true });
	});

	test('OVR-22 rooms do not share anything', async () => {
		await ledger.attempt(attempt({ callId: 'a' }));
		expect(await ledger.attempt(attempt({ callId: 'b', roomId: 'attic' }))).toEqual({ ok: true });
	});
});
