import { type Area, exitCodeOf, type Finding, type Severity } from './finding.ts';

/** What came of looking at one area. */
export interface AreaReport {
	readonly area: Area;
	/** One line on what was found, e.g. `Redis 7.0.15, aof`. */
	readonly detail: string;
	/** True when there was nothing to look at, e.g. Discord for a worker. */
	readonly skipped: boolean;
	readonly findings: readonly Finding[];
	readonly tookMs: number;
}

const marks: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', info: 'i' };
const titles: Readonly<Record<Area, string>> = {
	config: 'Configuration',
	prompts: 'Prompts',
	discord: 'Discord',
	redis: 'Redis',
	model: 'Model',
	home: 'Home Assistant',
	fleet: 'Fleet',
	clock: 'Clock',
	disk: 'Disk',
};

/** The report as a person reads it in a terminal. */
export function reportText(areas: readonly AreaReport[]): string {
	const lines = areas.flatMap(({ area, detail, skipped, findings }) => {
		const worst = (['error', 'warning'] as const).find((severity) => findings.some((one) => one.severity === severity));
		const mark = skipped ? '-' : worst === undefined ? '✓' : marks[worst];
		return [
			`${mark} ${titles[area]}: ${detail}`,
			...findings.flatMap(({ severity, what, fix }) => [`    ${marks[severity]} ${what}`, `      → ${fix}`]),
		];
	});
	return [...lines, '', summary(areas.flatMap(({ findings }) => findings))].join('\n');
}

/** The report for programs: `ok` is false when there is an error. */
export function reportJson(areas: readonly AreaReport[]) {
	const findings = areas.flatMap((area) => area.findings);
	const exitCode = exitCodeOf(findings);
	return { ok: exitCode < 2, exitCode, areas: areas.map(({ findings: _, ...area }) => area), findings };
}

function summary(findings: readonly Finding[]): string {
	const count = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
	const [errors, warnings] = [count('error'), count('warning')];
	if (errors + warnings === 0) return 'Everything that was looked at is in order.';
	const words = (many: number, word: string) => `${many} ${word}${many === 1 ? '' : 's'}`;
	return [
		...(errors > 0 ? [`${words(errors, 'error')}: something does not work`] : []),
		...(warnings > 0 ? [`${words(warnings, 'warning')}: it works and may hurt later`] : []),
	].join('; ');
}
