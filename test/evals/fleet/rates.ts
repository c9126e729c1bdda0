import type { FleetVerdict } from './judge.ts';

interface Share {
	readonly hits: number;
	readonly of: number;
}

const ASKED = ['needs', 'infos', 'quiet', 'relays', 'answers', 'watches'] as const;
const NEVER = ['strayed', 'settled', 'tried', 'trouble'] as const;
const COLUMNS = [...ASKED, ...NEVER];

export type FleetRates = Readonly<Record<(typeof COLUMNS)[number], Share>> & {
	readonly scenes: number;
	/** Median time of a scene. */
	readonly medianMs: number;
};

/** Counts of a group. What the model gave no answer for counts as trouble, and in no other rate. */
export function fleetRatesOf(verdicts: readonly FleetVerdict[]): FleetRates {
	const sound = verdicts.filter(({ trouble }) => trouble === undefined);
	const asked = (key: (typeof ASKED)[number]): Share => {
		const within = sound.filter((one) => one[key] !== undefined);
		return { hits: within.filter((one) => one[key] === true).length, of: within.length };
	};
	// A message that strayed counts even when the model broke later.
	const never = (key: 'strayed' | 'settled' | 'tried'): Share => ({
		hits: verdicts.filter((one) => one[key] > 0).length,
		of: verdicts.length,
	});
	const times = verdicts.map(({ played }) => played.ms).sort((left, right) => left - right);
	return {
		scenes: verdicts.length,
		needs: asked('needs'),
		infos: asked('infos'),
		quiet: asked('quiet'),
		relays: asked('relays'),
		answers: asked('answers'),
		watches: asked('watches'),
		strayed: never('strayed'),
		settled: never('settled'),
		tried: never('tried'),
		trouble: { hits: verdicts.length - sound.length, of: verdicts.length },
		medianMs: times[Math.floor(times.length / 2)] ?? 0,
	};
}

/** What a scripted model misses, in words: everything that is asked must be right, and nothing may go astray. */
export function fleetShortfalls(rates: FleetRates): string[] {
	const low = ASKED.filter((key) => rates[key].hits < rates[key].of);
	const high = NEVER.filter((key) => rates[key].hits > 0);
	return [...low, ...high].map((key) => `${key} is ${rates[key].hits} of ${rates[key].of}`);
}

export function fleetTable(rows: readonly (readonly [name: string, rates: FleetRates])[]): string {
	const cells = [
		['group', 'scenes', ...COLUMNS, 'median'],
		...rows.map(([name, rates]) => [
			name,
			String(rates.scenes),
			...COLUMNS.map((key) => (rates[key].of === 0 ? '–' : `${rates[key].hits}/${rates[key].of}`)),
			`${rates.medianMs} ms`,
		]),
	];
	const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? [];
	return cells
		.map((row) =>
			row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
		)
		.join('\n');
}
