import { METRICS } from '../../adapters/observe/metric-catalogue.ts';
import type { MetricSpec } from '../../adapters/observe/metric-spec.ts';

export type MetricName = keyof typeof METRICS;

const PREFIX = 'majordomo_';

/** The name under which Prometheus knows a metric of the catalogue. */
export const exportedName = (name: string): string => (name.startsWith(PREFIX) ? name : PREFIX + name);

/** Series that one metric becomes: a histogram is three. */
function seriesOf(name: string, { type }: MetricSpec): string[] {
	const full = exportedName(name);
	return type === 'histogram' ? [`${full}_bucket`, `${full}_sum`, `${full}_count`] : [full];
}

/** Every series of the catalogue with the labels that it has; `le` for the buckets of histograms. */
export function knownSeries(): ReadonlyMap<string, readonly string[]> {
	return new Map(
		Object.entries<MetricSpec>(METRICS).flatMap(([name, spec]) =>
			seriesOf(name, spec).map((series) => [
				series,
				[...(spec.labels ?? []), ...(series.endsWith('_bucket') ? ['le'] : [])],
			]),
		),
	);
}
