import type { ConfigProblem } from './config-error.ts';
import { explainIssue } from './explain-issue.ts';
import { type Settings, settingsSchema } from './schema.ts';
import { findSecrets } from './secret-in-file.ts';
import { settingsShape, shapesAt } from './settings-shape.ts';
import { readYaml } from './yaml-file.ts';

export type ParsedSettings =
	| { readonly ok: true; readonly settings: Settings }
	| { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** A settings text as settings, or everything that is wrong with it at once. Never throws. */
export function parseSettings(text: string): ParsedSettings {
	const file = readYaml(text);
	if (file.problems.length > 0) return { ok: false, problems: file.problems };
	const shape = settingsShape();
	const secrets = findSecrets(file.value, (path) => shapesAt(shape, path, file.value).length > 0);
	const covered = new Set(secrets.map((problem) => problem.path));
	const parsed = settingsSchema.safeParse(file.value);
	const issues = parsed.success ? [] : parsed.error.issues;
	const found = issues
		.flatMap((issue) => explainIssue(issue, shape, file.value))
		.filter((problem) => !covered.has(problem.path))
		.map((problem): ConfigProblem => {
			const source = file.sourceOf(problem.path);
			if (source === undefined || !/^\d{15,22}$/.test(source) || !problem.hint.includes('in quotes')) return problem;
			const key = problem.path.split('.').at(-1)!;
			const written = /^\d+$/.test(key) ? `- "${source}"` : `${key}: "${source}"`;
			return { ...problem, got: 'a number', hint: `write ${written} (in quotes: a bare number loses its last digits)` };
		});
	const problems = [...secrets, ...found]
		.map((problem) => ({ ...problem, line: file.lineOf(problem.path) }))
		.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
	return parsed.success && problems.length === 0 ? { ok: true, settings: parsed.data } : { ok: false, problems };
}
