import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { METRICS } from '../../../../adapters/observe/metric-catalogue.ts';
import type { MetricSpec } from '../../../../adapters/observe/metric-spec.ts';
import { createMetrics } from '../../../../adapters/observe/metrics.ts';

const catalogue: Readonly<Record<string, MetricSpec>> = METRICS;

describe('metrics', () => {
	test('OPS-7 counters, gauges and histograms appear under one prefix', async () => {
		const metrics = createMetrics({ processMetrics: false });
		metrics.count('overseer_model_calls_total', { trigger: 'challenge' });
		metrics.count('overseer_model_calls_total', { trigger: 'challenge' }, 2);
		metrics.gauge('home_connected', 1);
		metrics.observe('overseer_decision_seconds', 0.3, { trigger: 'heartbeat' });
		metrics.gauge('majordomo_queue_canary_age_seconds', 4, { queue: 'upkeep' });
		const page = await metrics.render();
		expect(page).toContain('majordomo_overseer_model_calls_total{trigger="challenge"} 3');
		expect(page).toContain('majordomo_home_connected 1');
		expect(page).toContain('majordomo_overseer_decision_seconds_bucket{le="0.5",trigger="heartbeat"} 1');
		expect(page).toContain('majordomo_queue_canary_age_seconds{queue="upkeep"} 4');
		expect(page).not.toContain('majordomo_majordomo');
		metrics.stop();
	});

	test('OPS-7 what the catalogue lacks is dropped and reported once, never thrown', async () => {
		const problems: string[] = [];
		const metrics = createMetrics({ processMetrics: false, onMisuse: (problem) => problems.push(problem) });
		for (let round = 0; round < 3; round++) {
			metrics.count('no_such_total');
			metrics.gauge('overseer_chat_total', 1);
			metrics.count('overseer_chat_total', { color: 'red' });
			metrics.count('overseer_chat_total');
			metrics.gauge('home_connected', Number.NaN);
			metrics.count('overseer_honest_lines_total', {}, -1);
		}
		expect(problems).toHaveLength(6);
		expect(await metrics.render()).toContain('majordomo_metrics_misused_total 18');
		expect(await metrics.render()).not.toContain('color');
	});

	test('OPS-7 label values are bounded: the rest is counted as other', async () => {
		const metrics = createMetrics({ processMetrics: false });
		for (let index = 0; index < 500; index++) metrics.count('overseer_stale_total', { what: `kind ${index}` });
		const lines = (await metrics.render())
			.split('\n')
			.filter((line) => line.startsWith('majordomo_overseer_stale_total{'));
		expect(lines).toHaveLength(61);
		expect(lines).toContain('majordomo_overseer_stale_total{what="other"} 440');
	});

	test('OPS-7 the process itself is measured', async () => {
		const metrics = createMetrics();
		expect(await metrics.render()).toMatch(/majordomo_process_resident_memory_bytes \d+/);
		metrics.stop();
	});

	test('OVR-32 everything the overseer is judged by has a metric', () => {
		const wanted: Record<string, readonly string[]> = {
			overseer_model_calls_total: ['trigger'],
			overseer_decision_seconds: ['trigger'],
			overseer_decisions_total: ['mode', 'trigger'],
			overseer_stale_total: ['what'],
			overseer_calls_blocked_total: ['tool', 'reason'],
			overseer_actions_total: ['tool', 'outcome'],
			overseer_chat_total: ['kind'],
			overseer_repeated_lines_total: [],
			overseer_invalid_output_total: ['reason'],
			overseer_prompt_tokens_reported: [],
			overseer_prompt_tokens_estimated: [],
			overseer_gate_evaluations_total: ['result'],
			overseer_gate_holds_total: ['reason'],
		};
		for (const [name, labels] of Object.entries(wanted)) expect(catalogue[name]?.labels, name).toEqual(labels);
	});

	test('OPS-7 names are well formed and every histogram has rising bounds', () => {
		for (const [name, spec] of Object.entries(catalogue)) {
			expect(name).toMatch(/^[a-z][a-z0-9_]+$/);
			expect(name.endsWith('_total'), name).toBe(spec.type === 'counter');
			expect(spec.help).toMatch(/[.]$/);
			if (spec.type === 'histogram')
				expect(
					[...(spec.buckets ?? [])].sort((a, b) => a - b),
					name,
				).toEqual(spec.buckets);
			if (spec.type === 'histogram') expect(spec.buckets?.length).toBeGreaterThan(3);
		}
	});

	const sources = ['core', 'adapters', 'jobs', 'bot', 'tools'].flatMap((room) =>
		readdirSync(room, { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts') && !name.startsWith('observe/metric-catalogue'))
			.map((name) => join(room, name)),
	);
	const texts = [...sources, 'main.ts'].map((file) => ({ file, text: readFileSync(file, 'utf8') }));

	test('OPS-7 every name that the program measures under is in the catalogue, with its kind', () => {
		const kinds = { count: 'counter', gauge: 'gauge', observe: 'histogram' } as const;
		const wrong: string[] = [];
		for (const { file, text } of texts)
			for (const [, kind, name] of text.matchAll(/metrics\??\.(count|gauge|observe)\(\s*['"`]([^'"`$]+)['"`]/g))
				if (catalogue[name!]?.type !== kinds[kind as keyof typeof kinds]) wrong.push(`${file}: ${kind}('${name}')`);
		expect(wrong).toEqual([]);
	});

	test('OPS-7 every name of the catalogue is measured somewhere', () => {
		const silent = Object.keys(catalogue).filter((name) => !texts.some(({ text }) => text.includes(`'${name}'`)));
		expect(silent).toEqual([]);
	});

	test('OPS-7 what is measured on looking is asked at each look; one that fails or hangs spoils nothing', async () => {
		const metrics = createMetrics({ processMetrics: false });
		metrics.onRender(() => Promise.reject(new Error('away')));
		metrics.onRender(() => new Promise(() => undefined));
		metrics.onRender(() => {
			throw new Error('broken');
		});
		let looks = 0;
		const remove = metrics.onRender(() => metrics.gauge('redis_connected', ++looks));
		expect(await metrics.render()).toContain('majordomo_redis_connected 1');
		expect(await metrics.render()).toContain('majordomo_redis_connected 2');
		remove();
		expect(await metrics.render()).toContain('majordomo_redis_connected 2');
	});
});
