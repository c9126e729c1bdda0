/** Counts of one kind of work, and what went wrong with it, in words. */
export interface Tally {
	readonly name: string;
	/** What was begun. */
	begun: number;
	/** What came to its end, once. */
	ended: number;
	readonly lost: string[];
	readonly doubled: string[];
	/** Milliseconds from begin to end. */
	readonly tookMs: number[];
}

export function createTally(name: string): Tally {
	return { name, begun: 0, ended: 0, lost: [], doubled: [], tookMs: [] };
}

/** One line a kind, with a head above. */
export function tallyTable(tallies: readonly Tally[]): string[] {
	const row = (cells: readonly (string | number)[]) =>
		cells.map((cell, at) => (at === 0 ? String(cell).padEnd(34) : String(cell).padStart(9))).join(' ');
	return [
		row(['', 'begun', 'ended', 'lost', 'doubled', 'p50 ms', 'p99 ms']),
		...tallies.map(({ name, begun, ended, lost, doubled, tookMs }) =>
			row([name, begun, ended, lost.length, doubled.length, quantile(tookMs, 0.5), quantile(tookMs, 0.99)]),
		),
	];
}

function quantile(values: readonly number[], part: number): string {
	const sorted = [...values].sort((a, b) => a - b);
	const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
	return found === undefined ? '-' : found.toFixed(0);
}
