import { describe, expect, test } from 'vitest';
import { METRICS } from '../../../../adapters/observe/metric-catalogue.ts';
import { usageDays } from '../../../../core/usage/usage-days.ts';
import { latencyPart, usageField } from '../../../../core/usage/usage-fields.ts';

describe('what charts are made of', () => {
	test('OPS-10 cost and calls are kept by part of the house, refusals by their kind, decisions by mode', () => {
		expect(usageField('count', 'model_cost_usd_total', { purpose: 'fleet.digest' }, 0.02)).toEqual([
			'cost:fleet',
			0.02,
		]);
		expect(usageField('count', 'model_calls_total', { purpose: 'overseer.decide', outcome: 'end' }, 1)).toEqual([
			'calls:rooms',
			1,
		]);
		expect(
			usageField('count', 'overseer_calls_blocked_total', { tool: 'lift_up', reason: 'policy_lock:lockdown' }, 1),
		).toEqual(['blocked:policy_lock', 1]);
		expect(usageField('count', 'overseer_decisions_total', { mode: 'ACTION+CHAT', trigger: 'x' }, 1)).toEqual([
			'decisions:ACTION+CHAT',
			1,
		]);
	});

	test('OPS-10 what no chart shows is not kept, and neither is nonsense', () => {
		expect(usageField('count', 'http_requests_total', { route: '/' }, 1)).toBeUndefined();
		expect(usageField('observe', 'model_seconds', { purpose: 'x' }, 1)).toBeUndefined();
		expect(usageField('count', 'model_cost_usd_total', { purpose: 'x' }, Number.NaN)).toBeUndefined();
		expect(usageField('count', 'model_cost_usd_total', { purpose: 'x' }, -1)).toBeUndefined();
	});

	test('OPS-10 every name that is kept is in the catalogue with the label it is told apart by', () => {
		const given = { purpose: 'p', kind: 'k', mode: 'm', reason: 'r', outcome: 'o' };
		const kept = Object.entries(METRICS).filter(([name]) => usageField('count', name, given, 1) !== undefined);
		expect(kept.map(([name]) => name)).toHaveLength(6);
		for (const [name, spec] of kept) {
			const own = Object.fromEntries((('labels' in spec && spec.labels) || []).map((label) => [label, 'x']));
			expect(usageField('count', name, own, 1), name).toBeDefined();
		}
		expect(METRICS.overseer_decision_seconds.type).toBe('histogram');
	});

	test('OPS-10 times fall into the part whose bound they do not pass', () => {
		expect([0.2, 1, 1.01, 60, 61].map(latencyPart)).toEqual(['le1', 'le1', 'le2', 'le60', 'more']);
	});

	test('OPS-10 C01 days of a time zone come once each, over both changes of the clock', () => {
		const spring = Date.parse('2027-03-29T10:00:00Z');
		expect(usageDays(spring, 3, 'Europe/Berlin')).toEqual(['2027-03-27', '2027-03-28', '2027-03-29']);
		const autumn = Date.parse('2026-10-26T23:30:00Z');
		expect(usageDays(autumn, 4, 'Europe/Berlin')).toEqual(['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']);
		expect(usageDays(autumn, 1, 'UTC')).toEqual(['2026-10-26']);
	});
});
