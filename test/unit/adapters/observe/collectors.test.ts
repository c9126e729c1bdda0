import { expect, test } from 'vitest';
import { collectHome, collectQueues, collectRedis } from '../../../../adapters/observe/collectors.ts';
import { createMeteredHome } from '../../../../adapters/observe/metered-home.ts';
import type { EntityState } from '../../../../core/home/entity.ts';
import type { Home, HomeCallResult, HomeStatus } from '../../../../core/home/home-port.ts';
import { createMemoryMetrics } from '../../../support/fakes/memory-log.ts';

test('OPS-7 queues are counted by state', async () => {
	const metrics = createMemoryMetrics();
	await collectQueues(metrics, [{ name: 'tool-run', getJobCounts: async () => ({ waiting: 3, failed: 1 }) }])();
	expect(Object.fromEntries(metrics.counts)).toEqual({
		'majordomo_queue_depth{queue=tool-run,state=waiting}': 3,
		'majordomo_queue_depth{queue=tool-run,state=failed}': 1,
	});
});

test('OPS-7 Redis shows as gone while it does not answer', async () => {
	const metrics = createMemoryMetrics();
	await collectRedis(metrics, async () => '# Memory\r\nused_memory:1048576\r\nused_memory_human:1M\r\n')();
	expect([metrics.counts.get('redis_connected{}'), metrics.counts.get('redis_memory_bytes{}')]).toEqual([1, 1_048_576]);
	await expect(collectRedis(metrics, () => Promise.reject(new Error('away')))()).rejects.toThrow();
	expect(metrics.counts.get('redis_connected{}')).toBe(0);
});

test('OPS-7 entities that Home Assistant lacks are counted while it is there', async () => {
	const metrics = createMemoryMetrics();
	let connected = true;
	const home = {
		status: (): HomeStatus => ({ connected, phase: connected ? 'ready' : 'lost', since: 0 }),
		states: () => new Map<string, EntityState>([['light.a', {} as EntityState]]),
	};
	await collectHome(metrics, home, ['light.a', 'light.b', 'cover.c'])();
	connected = false;
	await collectHome(metrics, home, ['light.a'])();
	expect([metrics.counts.get('home_connected{}'), metrics.counts.get('home_entities_missing{}')]).toEqual([0, 2]);
});

test('OPS-7 calls of the home are counted by their end, and its returns', async () => {
	const metrics = createMemoryMetrics();
	const results: HomeCallResult[] = [
		{ kind: 'ok', contextId: 'c' },
		{ kind: 'in_doubt', reason: 'deadline' },
	];
	let tell: (status: HomeStatus) => void = () => undefined;
	const bare = {
		onStatus: (listener: typeof tell) => {
			tell = listener;
			return () => undefined;
		},
		call: async () => results.shift()!,
	} as unknown as Home;
	const home = createMeteredHome(bare, metrics, { now: () => 0 });
	const request = { domain: 'light', service: 'turn_on', entityId: 'light.a', deadlineMs: 1 };
	expect(await home.call(request)).toEqual({ kind: 'ok', contextId: 'c' });
	await home.call(request);
	for (const phase of ['connecting', 'ready', 'lost', 'connecting', 'ready', 'ready'] as const)
		tell({ connected: phase === 'ready', phase, since: 0 });
	expect(Object.fromEntries(metrics.counts)).toEqual({
		'home_calls_total{domain=light,outcome=ok}': 1,
		'home_calls_total{domain=light,outcome=in_doubt}': 1,
		'home_reconnects_total{}': 1,
	});
});
