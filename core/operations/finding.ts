export const AREAS = ['config', 'prompts', 'discord', 'redis', 'model', 'home', 'fleet', 'clock', 'disk'] as const;

/** What the doctor looks at, one after the other. */
export type Area = (typeof AREAS)[number];
export type Severity = 'error' | 'warning' | 'info';

/** One thing that is wrong or worth knowing. Neither text holds a secret. */
export interface Finding {
	readonly area: Area;
	/** `error`: something does not work. `warning`: it works and will hurt. `info`: worth knowing. */
	readonly severity: Severity;
	/** Stable, e.g. `discord_token`. */
	readonly code: string;
	readonly what: string;
	/** What exactly to do about it. */
	readonly fix: string;
}

const ranks: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

/** 0: nothing but notes. 1: a warning. 2: an error. */
export function exitCodeOf(findings: readonly Finding[]): number {
	return Math.max(0, ...findings.map(({ severity }) => ranks[severity]));
}

/** Findings of one area, written without repeating its name. */
export function findingsOf(area: Area) {
	const make = (severity: Severity) => (code: string, what: string, fix: string) =>
		({ area, severity, code, what, fix }) satisfies Finding;
	return { error: make('error'), warning: make('warning'), info: make('info') };
}
