import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createStored } from '../../../adapters/redis/stored.ts';
import { createAudit, type RedisAudit } from '../../../adapters/redis/stores/audit.ts';
import type { AuditRow } from '../../../core/tooling/call.ts';
import { eventually, startTestRedis, type TestRedis } from '../../support/redis.ts';

const row = (id: number, change: Partial<AuditRow> = {}): AuditRow => ({
	id: `row-${id}`,
	at: id,
	room: 'den',
	decisionId: 'd',
	callId: `c${id}`,
	tool: 'lift_up',
	step: 'confirmed',
	trigger: 'direct_address',
	args: { entity_id: 'light.shelf', odd: null },
	reasons: [{ code: 'cooldown', remainingMs: 5 }],
	...change,
});

describe('audit on Redis', () => {
	let server: TestRedis;
	let redis: RedisConnection;
	let audit: RedisAudit;

	beforeAll(async () => {
		server = await startTestRedis();
		redis = await server.connect();
		audit = createAudit(redis, createStored(redis), { maxRows: 500, retainMs: 3_600_000 });
	});
	afterEach(() => server.flush());
	afterAll(() => server.stop());

	test('OVR-25 rows come newest first, over all rooms or of one, whole', async () => {
		for (const id of [1, 2, 3]) await audit.append(row(id, { room: id === 2 ? 'attic' : 'den' }));
		expect(await audit.query({ limit: 10 })).toEqual([row(3), row(2, { room: 'attic' }), row(1)]);
		expect(await audit.query({ room: 'den', limit: 1 })).toEqual([row(3)]);
	});

	test('OVR-25 rows are found by tool, step and time', async () => {
		for (let id = 1; id <= 300; id += 1)
			await audit.append(
				row(id, { tool: id % 100 === 0 ? 'neato_start' : 'lift_up', step: id % 2 ? 'blocked' : 'confirmed' }),
			);
		expect((await audit.query({ tool: 'neato_start', limit: 10 })).map((item) => item.at)).toEqual([300, 200, 100]);
		expect((await audit.query({ step: 'blocked', before: 10, limit: 3 })).map((item) => item.at)).toEqual([9, 7, 5]);
		expect(await audit.query({ room: 'attic', limit: 3 })).toEqual([]);
	});

	test('OVR-25 all rows are exported as JSON lines, oldest first', async () => {
		for (let id = 1; id <= 250; id += 1) await audit.append(row(id));
		const lines: string[] = [];
		for await (const line of audit.exportLines()) lines.push(line);
		expect(lines.map((line) => JSON.parse(line).at)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
		expect(JSON.parse(lines[0] ?? '')).toEqual(row(1));
	});

	test('OVR-25 rows are bounded by number, and by age when the next one comes', async () => {
		for (let id = 1; id <= 1_200; id += 1) await audit.append(row(id));
		expect(await redis.handlers.xlen(redis.keys.room('den', 'audit'))).toBeLessThan(750);
		const strict = createAudit(redis, createStored(redis), { maxRows: 500, retainMs: 0 });
		await eventually('the old ones are gone', async () => {
			await strict.append(row(2_000));
			return (await redis.handlers.xlen(redis.keys.room('den', 'audit'))) < 250;
		});
		expect((await audit.query({ limit: 1 }))[0]?.at).toBe(2_000);
	});

	test('OVR-25 a damaged row is left out and the others are still found', async () => {
		await audit.append(row(1));
		await redis.handlers.xadd(redis.keys.room('den', 'audit'), '*', 'row', '{"id":');
		await audit.append(row(2));
		expect((await audit.query({ limit: 10 })).map((item) => item.at)).toEqual([2, 1]);
	});
});
