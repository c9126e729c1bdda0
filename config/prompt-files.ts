import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { ConfigProblem } from './config-error.ts';

export type PromptFiles =
	| { readonly ok: true; readonly files: Readonly<Record<string, string>> }
	| { readonly ok: false; readonly problems: readonly ConfigProblem[] };

const MAX_CHARACTERS = 100_000;

/** Reads one file below a folder; `undefined` when it is not there. Names that lead out of the folder are refused. */
function readBelow(dir: string, name: string): string | undefined {
	const path = resolve(dir, `${name}.md`);
	const inside = relative(resolve(dir), path);
	if (inside.startsWith('..') || isAbsolute(inside)) throw new Error('leads out of its folder');
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}

/**
 * Prompt texts by name, such as `overseer/system` for `overseer/system.md`. A file in `overrideDir` stands in for the
 * built-in one of the same name. Read anew on each call, so a reload sees edits. All problems at once; never throws.
 */
export function readPromptFiles(options: {
	names: readonly string[];
	builtInDir: string;
	overrideDir?: string;
}): PromptFiles {
	const files: Record<string, string> = {};
	const problems: ConfigProblem[] = [];
	const problem = (path: string, got: string, hint: string) => problems.push({ source: 'prompts', path, got, hint });
	for (const name of options.names) {
		try {
			const own = options.overrideDir === undefined ? undefined : readBelow(options.overrideDir, name);
			const text = own ?? readBelow(options.builtInDir, name);
			if (text === undefined) problem(name, 'missing', `write ${name}.md into the prompts folder`);
			else if (text.trim() === '')
				problem(name, 'empty', 'a prompt needs words; delete the file to use the built-in one');
			else if (text.length > MAX_CHARACTERS) problem(name, `${text.length} characters`, `at most ${MAX_CHARACTERS}`);
			else if (text.includes('\uFFFD')) problem(name, 'not a text in UTF-8', 'save the file as UTF-8');
			else files[name] = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
		} catch (error) {
			const code = (error as NodeJS.ErrnoException).code;
			problem(
				name,
				code ? `cannot be read (${code})` : (error as Error).message,
				'it has to be a readable file in the prompts folder',
			);
		}
	}
	return problems.length > 0 ? { ok: false, problems } : { ok: true, files };
}
