import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { migrate } from '../../../adapters/redis/migrations/migrate.ts';
import type { Migration } from '../../../adapters/redis/migrations/migration.ts';
import {
	clearUnfinished,
	markUnfinished,
	noteSchemaVersion,
	readSchemaVersion,
	SCHEMA_VERSION,
} from '../../../adapters/redis/migrations/schema-version.ts';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createDecisionJournal } from '../../../adapters/redis/stores/journal.ts';
import { startTestRedis, type TestRedis } from '../../support/redis.ts';

const reply = {
	text: 'off it goes',
	calls: [],
	usage: { inputTokens: 1, outputTokens: 1 },
	stop: 'end',
	model: 'm',
	durations: { totalMs: 1 },
	truncated: false,
};

describe('the layout of keys', () => {
	let server: TestRedis;
	let redis: RedisConnection;
	beforeAll(async () => {
		server = await startTestRedis();
		redis = await server.connect();
	});
	beforeEach(() => server.flush());
	afterAll(() => server.stop());

	test('OPS-16 an empty Redis begins with the newest layout', async () => {
		expect(await migrate(redis)).toEqual({ from: 0, to: SCHEMA_VERSION });
		expect(await readSchemaVersion(redis)).toBe(SCHEMA_VERSION);
		expect(await migrate(redis)).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION });
	});

	test('OPS-16 a reply kept under the old name is found by the decision that goes on', async () => {
		const old = `{${redis.prefix}:decision:d1}:v1:replies`;
		await redis.handlers.hset(old, '0', JSON.stringify(reply));
		await redis.handlers.pexpire(old, 600_000);
		await migrate(redis);
		const journal = createDecisionJournal(redis, createStored(redis));
		expect(await journal.reply('d1', 0)).toMatchObject({ text: 'off it goes' });
		expect(await redis.handlers.exists(old)).toBe(0);
		expect(await redis.handlers.pttl(redis.keys.decision('d1'))).toBeGreaterThan(100_000);
	});

	test('OPS-16 several processes that start at once change the layout once', async () => {
		await redis.handlers.set(redis.keys.site(), 'something');
		let runs = 0;
		const slow: Migration = {
			to: 1,
			what: 'a slow one',
			async run() {
				runs += 1;
				await new Promise((resolve) => setTimeout(resolve, 300));
				return 1;
			},
		};
		const others = await Promise.all([server.connect(), server.connect(), server.connect()]);
		await Promise.all(others.map((one) => migrate(one, { migrations: [slow], leaseMs: 2_000 })));
		expect(runs).toBe(1);
	});

	test('OPS-16 a migration that broke off is run again, the ones before it are not', async () => {
		await redis.handlers.set(redis.keys.site(), 'something');
		const ran: number[] = [];
		const step = (to: number, fails: boolean): Migration => ({
			to,
			what: `step ${to}`,
			async run() {
				ran.push(to);
				if (fails) throw new Error('power cut');
				return 1;
			},
		});
		await expect(migrate(redis, { migrations: [step(1, false), step(2, true)] })).rejects.toThrow('power cut');
		expect(await readSchemaVersion(redis)).toBe(1);
		await migrate(redis, { migrations: [step(2, false), step(1, false)] });
		expect(ran).toEqual([1, 2, 2]);
		expect(await readSchemaVersion(redis)).toBe(2);
	});

	test('OPS-16 data of a newer version, and half of a restore, are left alone', async () => {
		await noteSchemaVersion(redis, SCHEMA_VERSION + 1);
		await expect(migrate(redis)).rejects.toMatchObject({ code: 'layout_too_new' });
		await noteSchemaVersion(redis, SCHEMA_VERSION);
		await markUnfinished(redis);
		await expect(migrate(redis)).rejects.toMatchObject({ code: 'restore_unfinished' });
		await clearUnfinished(redis);
		await migrate(redis);
	});
});
