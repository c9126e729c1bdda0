import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { dashboardExpressions } from './ops/expressions.ts';
import { findPromtool, type Ran } from './ops/promtool.ts';
import { samplePage } from './ops/sample-page.ts';

/*
 * Alert rules, their tests, the dashboard's expressions and the page of /metrics, judged by Prometheus' own tool. Without
 * promtool it says so and is no failure.
 */
const promtool = findPromtool(process.env);
if (promtool === undefined) {
	console.log('skipped: promtool is not on PATH (Debian and Ubuntu have it in the package prometheus)');
} else {
	const folder = mkdtempSync(join(tmpdir(), 'mj-ops-'));
	const dashboard = join(folder, 'dashboard.yml');
	const rules = dashboardExpressions().map(({ expr }, index) => ({ record: `panel:${index}`, expr }));
	writeFileSync(dashboard, stringify({ groups: [{ name: 'dashboard', rules }] }));
	const checks: Readonly<Record<string, Ran>> = {
		'alert rules': promtool(['check', 'rules', 'ops/alerts.yml']),
		'what alerts fire for': promtool(['test', 'rules', 'ops/alerts.test.yml']),
		[`${rules.length} expressions of the dashboard`]: promtool(['check', 'rules', dashboard]),
		'the page of /metrics': promtool(['check', 'metrics'], await samplePage()),
	};
	rmSync(folder, { recursive: true });
	for (const [name, { ok, output }] of Object.entries(checks))
		console.log(ok ? `ok      ${name}` : `FAILED  ${name}\n${output}`);
	const failed = Object.values(checks).filter(({ ok }) => !ok).length;
	console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}
