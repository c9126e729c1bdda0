/** Middle and tail of some measurements, milliseconds. */
export interface Spread {
	readonly count: number;
	readonly p50: number;
	readonly p99: number;
}

export function spreadOf(values: readonly number[]): Spread {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
	return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

/** One line of the table that the benchmark prints. */
export function row(name: string, ours: Spread, other: Spread): string {
	const figure = ({ p50, p99 }: Spread) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`;
	const ratio = (part: 'p50' | 'p99') => (ours[part] / other[part]).toFixed(2);
	return `${name.padEnd(34)} ${figure(ours).padEnd(20)} ${figure(other).padEnd(20)} ${ratio('p50')} / ${ratio('p99')}   n=${ours.count}`;
}
