/** One measured thing. Label values have to come from small closed sets; what exceeds the bound becomes `other`. */
export interface MetricSpec {
	readonly type: 'counter' | 'gauge' | 'histogram';
	readonly help: string;
	readonly labels?: readonly string[];
	/** Upper bounds of a histogram. */
	readonly buckets?: readonly number[];
}

/** Bucket bounds by what is measured. Times are seconds, as Prometheus wants them. */
export const BUCKETS = {
	model: [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 60, 120],
	work: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
	quick: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
	tokens: [250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 6_000, 8_000, 16_000],
	ratio: [0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 4],
} as const;

const define =
	(type: MetricSpec['type']) =>
	(help: string, ...labels: readonly string[]): MetricSpec => ({ type, help, labels });

export const counter = define('counter');
export const gauge = define('gauge');
export const histogram = (help: string, buckets: readonly number[], ...labels: readonly string[]): MetricSpec => ({
	type: 'histogram',
	help,
	labels,
	buckets,
});
