import { discordMetrics, httpMetrics, jobMetrics } from './metric-catalogue-edges.ts';
import { fleetMetrics } from './metric-catalogue-fleet.ts';
import { intakeMetrics } from './metric-catalogue-intake.ts';
import { overseerMetrics } from './metric-catalogue-overseer.ts';
import type { MetricSpec } from './metric-spec.ts';

/** Everything that is measured. A name that is not here is refused, so the list is also the documentation. */
export const METRICS = {
	...overseerMetrics,
	...discordMetrics,
	...intakeMetrics,
	...fleetMetrics,
	...jobMetrics,
	...httpMetrics,
} as const satisfies Record<string, MetricSpec>;
