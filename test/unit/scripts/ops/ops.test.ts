import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '../../../../adapters/observe/metric-catalogue.ts';
import { createMetrics } from '../../../../adapters/observe/metrics.ts';
import { exportedName, knownSeries } from '../../../../scripts/ops/exported-name.ts';
import { dashboardExpressions, readAlerts, usesOf } from '../../../../scripts/ops/expressions.ts';
import { FIGURES } from '../../../../scripts/ops/figure-ids.ts';
import { opsFiles } from '../../../../scripts/ops/ops-files.ts';
import { samplePage } from '../../../../scripts/ops/sample-page.ts';

const known = knownSeries();
/** Series that are there without our doing, with the labels that a scrape adds to all of them. */
const SCRAPED = new Set(['job', 'instance']);
const processSeries = await (async () => {
	const metrics = createMetrics();
	const page = await metrics.render();
	metrics.stop();
	return new Set(page.match(/^majordomo_(?:process|nodejs)_\w+/gm));
})();

/** What an expression names that nobody measures. */
function strangers(expr: string): string[] {
	const { series, grouped } = usesOf(expr);
	const labelsOf = (name: string) => known.get(name) ?? (name === 'up' || processSeries.has(name) ? [] : undefined);
	const names = series.filter(({ series: name }) => labelsOf(name) === undefined).map(({ series: name }) => name);
	const all = new Set([...SCRAPED, ...series.flatMap(({ series: name }) => labelsOf(name) ?? [])]);
	const labels = series.flatMap(({ series: name, labels: used }) =>
		used
			.filter((label) => !SCRAPED.has(label) && !(labelsOf(name) ?? []).includes(label))
			.map((label) => `${name}{${label}}`),
	);
	return [...names, ...labels, ...grouped.filter((label) => !all.has(label)).map((label) => `by (${label})`)];
}

describe('what watches the household', () => {
	test.each(Object.entries(opsFiles()))(
		'OPS-7 %s is what the catalogue says today; if not, run npm run generate',
		(path, text) => {
			expect(readFileSync(path, 'utf8')).toBe(text);
		},
	);

	test('OPS-7 an expression with an unknown series, label or grouping is found', () => {
		expect(strangers('sum by (tool) (increase(majordomo_overseer_actions_total{outcome="unknown"}[5m])) > 0')).toEqual(
			[],
		);
		expect(strangers('sum(majordomo_overseer_action_total)')).toEqual(['majordomo_overseer_action_total']);
		expect(strangers('majordomo_overseer_actions_total{result="x"}')).toEqual([
			'majordomo_overseer_actions_total{result}',
		]);
		expect(strangers('sum by (room) (majordomo_overseer_actions_total)')).toEqual(['by (room)']);
		expect(strangers('histogram_quantile(0.5, sum by (le) (rate(majordomo_model_seconds_bucket[5m])))')).toEqual([]);
		expect(strangers('rate(majordomo_model_seconds[5m])')).toEqual(['majordomo_model_seconds']);
	});

	test('OPS-7 every alert and every panel asks for what is measured, by labels that it has', () => {
		const asked = [...readAlerts().map(({ alert, expr }) => ({ at: alert, expr })), ...dashboardExpressions()];
		expect(asked.length).toBeGreaterThan(120);
		expect(asked.flatMap(({ at, expr }) => strangers(expr).map((what) => `${at}: ${what}`))).toEqual([]);
	});

	test('OPS-7 the dashboard shows every metric of the catalogue', () => {
		const shown = new Set(
			dashboardExpressions().flatMap(({ expr }) => usesOf(expr).series.map(({ series }) => series)),
		);
		const missing = Object.keys(METRICS).filter(
			(name) => !shown.has(exportedName(name)) && !shown.has(`${exportedName(name)}_bucket`),
		);
		expect(missing).toEqual([]);
	});

	test('OPS-7 OVR-32 every metric is there for a figure that a requirement names, and every id is a requirement', () => {
		const named = new Set<string>(FIGURES.flatMap(({ metrics }) => metrics));
		expect(Object.keys(METRICS).filter((name) => !named.has(name))).toEqual([]);
		const requirements = readFileSync('docs/requirements.md', 'utf8');
		for (const { id } of FIGURES) expect(requirements, id).toMatch(new RegExp(`\\b${id}\\b`));
	});

	test('OPS-7 alerts have names of their own, say what to do, and each is tested firing and quiet', () => {
		const alerts = readAlerts().map(({ alert }) => alert);
		expect(alerts).toEqual([...new Set(alerts)]);
		for (const { annotations } of readAlerts()) {
			expect(annotations.summary).toMatch(/[.]$/);
			expect(annotations.action.length).toBeGreaterThan(15);
		}
		const { tests } = parse(readFileSync('ops/alerts.test.yml', 'utf8')) as { tests: { name: string }[] };
		expect(tests.map(({ name }) => name).sort()).toEqual(
			alerts.flatMap((alert) => [`${alert} fires`, `${alert} is quiet`]).sort(),
		);
	});

	test('OPS-7 docs/operations.md tells of every alert', () => {
		const page = readFileSync('docs/operations.md', 'utf8');
		for (const { alert } of readAlerts()) expect(page, alert).toContain(`\`${alert.replace('Majordomo', '')}\``);
	});

	test('OPS-7 a page with a sample of everything has each name once, with its help and its type', async () => {
		const page = await samplePage();
		for (const [name, { type, help }] of Object.entries(METRICS)) {
			expect(page.split(`# TYPE ${exportedName(name)} ${type}\n`), name).toHaveLength(2);
			expect(page).toContain(`# HELP ${exportedName(name)} ${help}`);
		}
		expect(page).not.toMatch(/# TYPE \S+_total gauge/);
	});
});

interface Placed {
	readonly id: number;
	readonly type: string;
	readonly title: string;
	readonly datasource?: { readonly type: string; readonly uid: string };
	readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
	readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
	readonly targets?: readonly { readonly refId: string; readonly legendFormat: string; readonly expr: string }[];
}

describe('the dashboard', () => {
	const dashboard = JSON.parse(readFileSync('ops/dashboard.json', 'utf8')) as {
		uid: string;
		schemaVersion: number;
		templating: { list: { name: string; type: string }[] };
		panels: Placed[];
	};
	const panels = dashboard.panels.filter(({ type }) => type !== 'row');

	test('OPS-7 it is one that Grafana imports: ids, grid and sources are sound', () => {
		expect(dashboard).toMatchObject({ uid: 'majordomo', schemaVersion: 39 });
		expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
			['datasource', 'datasource'],
			['instance', 'query'],
		]);
		const ids = dashboard.panels.map(({ id }) => id);
		expect(ids).toEqual([...new Set(ids)]);
		const taken = new Set<string>();
		for (const { title, gridPos } of dashboard.panels)
			for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
				for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
					expect(x, title).toBeLessThan(24);
					expect(taken.has(`${x},${y}`), `${title} covers another at ${x},${y}`).toBe(false);
					taken.add(`${x},${y}`);
				}
	});

	test('OPS-7 no panel is empty, unnamed, without unit or legend, or tied to one data source', () => {
		const titles = panels.map(({ title }) => title);
		expect(titles).toEqual([...new Set(titles)]);
		for (const { title, type, datasource, fieldConfig, targets = [] } of panels) {
			expect(['timeseries', 'stat'], title).toContain(type);
			expect(datasource, title).toEqual({ type: 'prometheus', uid: '$' + '{datasource}' });
			expect(fieldConfig?.defaults.unit, title).toBeTruthy();
			expect(targets.length, title).toBeGreaterThan(0);
			expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
			for (const { legendFormat, expr } of targets) {
				expect(legendFormat, title).not.toBe('');
				const grouped = new Set(usesOf(expr).grouped);
				for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
					expect(grouped.has(label), `${title}: ${label}`).toBe(true);
				if (/rate\(/.test(expr)) expect(expr, title).toContain('[$__rate_interval]');
			}
		}
	});
});
