import { dashboardText } from './dashboard.ts';
import { metricsPage } from './metrics-page.ts';

/** Files that are made from the catalogue of metrics, by path. */
export function opsFiles(): Record<string, string> {
	return { 'ops/dashboard.json': dashboardText(), 'docs/metrics.md': metricsPage() };
}
