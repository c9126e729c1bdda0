import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMetrics } from '../../../adapters/observe/metrics.ts';
import { createUsageMetrics } from '../../../adapters/observe/usage-metrics.ts';
import type { RedisConnection } from '../../../adapters/redis/connection.ts';
import { createUsageStore } from '../../../adapters/redis/stores/usage.ts';
import { startTestRedis, type TestRedis, testLog } from '../../support/redis.ts';

const NOON = Date.parse('2026-10-24T12:00:00Z');
const trigger = 'direct_address';

describe('figures of past days on Redis', () => {
	let server: TestRedis;
	let redis: RedisConnection;

	beforeAll(async () => {
		server = await startTestRedis();
		redis = await server.connect();
	});
	afterAll(() => server.stop());

	test('OPS-10 sums of several processes add up, by day; a day without figures is empty', async () => {
		const [one, two] = [createUsageStore(redis), createUsageStore(redis)];
		await Promise.all([one.add('2026-01-01', { 'cost:fleet': 0.1 }), two.add('2026-01-01', { 'cost:fleet': 0.2 })]);
		await one.add('2026-01-02', { 'decisions:CHAT': 2, 'cost:fleet': 0 });
		const days = await two.read(['2026-01-01', '2026-01-02', '2026-01-03']);
		expect(days.map(({ day }) => day)).toEqual(['2026-01-01', '2026-01-02', '2026-01-03']);
		expect(days[0]?.amounts['cost:fleet']).toBeCloseTo(0.3, 10);
		expect(days.slice(1).map(({ amounts }) => amounts)).toEqual([{ 'decisions:CHAT': 2 }, {}]);
	});

	test('OPS-10 days forget themselves after more than a year', async () => {
		await createUsageStore(redis).add('2026-02-01', { 'calls:intake': 1 });
		const ttl = await redis.ask((client) => client.ttl(redis.keys.usage('2026-02-01')));
		expect(ttl).toBeGreaterThan(366 * 86_400);
	});

	test('OPS-10 what is measured is kept on its local day, and what the metrics show stays as it was', async () => {
		let now = NOON;
		const store = createUsageStore(redis);
		const registry = createMetrics({ processMetrics: false });
		const usage = createUsageMetrics({
			metrics: registry,
			store,
			timeZone: () => 'Europe/Berlin',
			clock: { now: () => now },
			log: testLog(),
		});
		usage.metrics.count('overseer_decisions_total', { mode: 'CHAT', trigger });
		usage.metrics.observe('overseer_decision_seconds', 3, { trigger });
		// 22:30 by the world's clock is half past midnight there.
		now = Date.parse('2026-10-24T22:30:00Z');
		usage.metrics.count('model_cost_usd_total', { purpose: 'overseer.decide' }, 0.5);
		await usage.stop();
		const days = await store.read(['2026-10-24', '2026-10-25']);
		expect(days.map(({ amounts }) => amounts)).toEqual([
			{ 'decisions:CHAT': 1, 'latency:le5': 1 },
			{ 'cost:rooms': 0.5 },
		]);
		expect(await registry.render()).toContain(
			'majordomo_overseer_decisions_total{mode="CHAT",trigger="direct_address"} 1',
		);
	});

	test('OPS-10 a store that is away gets the sums later, each once', async () => {
		const store = createUsageStore(redis);
		let isAway = true;
		const usage = createUsageMetrics({
			metrics: createMetrics({ processMetrics: false }),
			store: { add: (day, amounts) => (isAway ? Promise.reject(new Error('away')) : store.add(day, amounts)) },
			timeZone: () => 'UTC',
			clock: { now: () => NOON },
			log: testLog(),
			everyMs: 10,
		});
		for (let count = 0; count < 3; count += 1) {
			usage.metrics.count('overseer_actions_total', { tool: 'lift_up', outcome: 'confirmed' });
			await new Promise((resolve) => setTimeout(resolve, 30));
		}
		isAway = false;
		await usage.stop();
		expect((await store.read(['2026-10-24']))[0]?.amounts['actions:confirmed']).toBe(3);
	});
});
