/** Values by category, e.g. US dollars by day. */
export interface ChartSeries {
	readonly name: string;
	/** One a category. */
	readonly values: readonly number[];
}

export interface ChartPanel {
	/** Columns stacked over their categories, or bars from left to right with the first category on top. */
	readonly kind: 'columns' | 'bars';
	readonly title: string;
	/** Before or after a figure: `usd` as `$0.12`, `count` as `12`. */
	readonly unit: 'usd' | 'count';
	readonly categories: readonly string[];
	/** Without any value above zero, `empty` is shown instead. */
	readonly series: readonly ChartSeries[];
	readonly empty: string;
}

/** What a picture shows, without how it is drawn. */
export interface ChartSpec {
	readonly title: string;
	readonly subtitle: string;
	readonly panels: readonly ChartPanel[];
}

/** Draws pictures that can be read on dark and on light pages. */
export interface Charts {
	/** A PNG. Rejects with `ChartFailed`. */
	render(spec: ChartSpec): Promise<Uint8Array>;
}

export class ChartFailed extends Error {
	readonly code = 'chart_failed';
}
