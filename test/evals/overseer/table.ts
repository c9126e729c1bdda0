import type { Rates, Share } from './rates.ts';

const COLUMNS = [
	['rightMode', 'mode'],
	['rightTool', 'tool'],
	['rightEntity', 'entity'],
	['rightWords', 'words'],
	['claims', 'claims'],
	['spam', 'spam'],
	['unsafeAttempts', 'tried'],
	['unsafeExecutions', 'unsafe'],
	['unusable', 'unusable'],
] as const satisfies readonly (readonly [keyof Rates, string])[];

/** Rates as a table for the terminal: a line a group, and one for all. */
export function ratesTable(rows: readonly (readonly [name: string, rates: Rates])[]): string {
	const cells = [
		['group', 'scenes', ...COLUMNS.map(([, title]) => title), 'median'],
		...rows.map(([name, rates]) => [
			name,
			String(rates.scenes),
			...COLUMNS.map(([key]) => shareText(rates[key])),
			`${rates.medianLatencyMs} ms`,
		]),
	];
	const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? [];
	return cells
		.map((row) =>
			row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
		)
		.join('\n');
}

function shareText({ hits, of }: Share): string {
	return of === 0 ? '–' : `${hits}/${of}`;
}
