import { discordMetrics, httpMetrics, jobMetrics } from './metric-catalogue-edges.ts';
import { intakeMetrics } from './metric-catalogue-intake.ts';
import { overseerMetrics } from './metric-catalogue-overseer.ts';
import type { MetricSpec } from './metric-spec.ts';

/** Everything that is measured. A name that is not here is refused, so the list is also the documentation. */
export const METRICS = {
	...overseerMetrics,
	...discordMetrics,
	...intakeMetrics,
	...jobMetrics,
	...httpMetrics,
} as const satisfies Record<string, MetricSpec>;
