import { exportedName, type MetricName } from './exported-name.ts';

/** One line of a panel. */
export interface Query {
	readonly expr: string;
	readonly legend: string;
}

/** The dashboard's choice of processes, on every series. */
const CHOSEN = 'instance=~"$instance"';

const select = (series: string, where?: string) => `${series}{${where ? `${CHOSEN},${where}` : CHOSEN}}`;
const grouped = (by: string) => (by === '' ? '' : ` by (${by})`);
const legendOf = (by: string) =>
	by
		.split(', ')
		.map((label) => `{{${label}}}`)
		.join(' ');

const perSecond = (series: string, by: string, where?: string) =>
	`sum${grouped(by)} (rate(${select(series, where)}[$__rate_interval]))`;

/** How often a minute, one line for each value of the labels. */
export function perMinute(name: MetricName, by = '', legend = legendOf(by)): Query {
	return { expr: `60 * ${perSecond(exportedName(name), by)}`, legend };
}

/** How much an hour. */
export function perHour(name: MetricName, by: string): Query {
	return { expr: `3600 * ${perSecond(exportedName(name), by)}`, legend: legendOf(by) };
}

/** Which part of all has this label. */
export function share(name: MetricName, where: string, legend: string): Query {
	const full = exportedName(name);
	return { expr: `${perSecond(full, '', where)} / ${perSecond(full, '')}`, legend };
}

/** A gauge as it stands; processes that measure the same thing are one line. */
export function level(name: MetricName, legend: string, by = '', how: 'max' | 'min' | 'sum' = 'max'): Query {
	return { expr: `${how}${grouped(by)} (${select(exportedName(name))})`, legend };
}

/** A gauge that is 1 for one of its labels: only that one. */
export function whichIs(name: MetricName, by: string): Query {
	return { expr: `${level(name, '', by).expr} == 1`, legend: legendOf(by) };
}

/** Median and the slow end of a histogram. */
export function quantiles(name: MetricName, by = '', prefix = by === '' ? '' : `${legendOf(by)} `): Query[] {
	const buckets = perSecond(`${exportedName(name)}_bucket`, by === '' ? 'le' : `le, ${by}`);
	return [0.5, 0.95].map((part) => ({
		expr: `histogram_quantile(${part}, ${buckets})`,
		legend: `${prefix}p${part * 100}`,
	}));
}

/** A figure of the process itself, by process. */
export function ofProcess(series: string, isCounter = false): Query {
	const full = exportedName(series);
	const expr = isCounter ? perSecond(full, 'instance') : `max by (instance) (${select(full)})`;
	return { expr, legend: '{{instance}}' };
}
