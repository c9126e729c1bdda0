import { METRICS } from '../../adapters/observe/metric-catalogue.ts';
import type { MetricSpec } from '../../adapters/observe/metric-spec.ts';
import { createMetrics } from '../../adapters/observe/metrics.ts';

/** The page of /metrics with something under every name of the catalogue. */
export async function samplePage(): Promise<string> {
	const metrics = createMetrics({
		onMisuse(problem) {
			throw new Error(problem);
		},
	});
	for (const [name, spec] of Object.entries<MetricSpec>(METRICS)) {
		const labels = Object.fromEntries((spec.labels ?? []).map((label) => [label, 'some']));
		if (spec.type === 'counter') metrics.count(name, labels);
		else if (spec.type === 'gauge') metrics.gauge(name, 1, labels);
		else metrics.observe(name, 1, labels);
	}
	const page = await metrics.render();
	metrics.stop();
	return page;
}
