/** One thing that is wrong, in words that never repeat a secret. */
export interface ConfigProblem {
	readonly source: 'file' | 'environment' | 'prompts';
	/** Dotted setting (`rooms.0.channelId`), variable (`DISCORD_TOKEN`), prompt name, or empty for the whole file. */
	readonly path: string;
	/** 1-based, where it is known. */
	readonly line?: number;
	/** What was found, as a class: `missing`, `a number`, `text of 12 characters`. Plain short values are shown. */
	readonly got: string;
	/** What to do. */
	readonly hint: string;
}

/** The configuration cannot be used. `exitCode` 78 is `EX_CONFIG`: supervisors should not restart on it. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
	readonly code = 'config_invalid';
	readonly exitCode = 78;
	readonly problems: readonly ConfigProblem[];

	constructor(problems: readonly ConfigProblem[], file: string) {
		super(formatProblems(problems, file));
		this.problems = problems;
	}
}

const headings = (file: string): Readonly<Record<ConfigProblem['source'], string>> => ({
	file,
	environment: 'environment (.env or the shell)',
	prompts: 'prompt files',
});

/** The list as a person reads it in a terminal or in Discord: grouped by where to look, one hint each. */
export function formatProblems(problems: readonly ConfigProblem[], file: string): string {
	const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
	const lines = [`The configuration has ${count}.`];
	for (const source of ['file', 'environment', 'prompts'] as const) {
		const group = problems.filter((problem) => problem.source === source);
		if (group.length === 0) continue;
		lines.push('', headings(file)[source]);
		for (const { path, line, got, hint } of group) {
			const place = [path, line === undefined ? '' : `line ${line}`].filter(Boolean);
			const where = place.length === 2 ? `${place[0]} (${place[1]})` : (place[0] ?? '');
			lines.push(`  ✗ ${where === '' ? got : `${where}: ${got}`}`, `    → ${hint}`);
		}
	}
	if (problems.some((problem) => problem.source === 'file'))
		lines.push('', 'Every setting is explained in config/majordomo.example.yaml.');
	return lines.join('\n');
}
