import { readFileSync } from 'node:fs';
import * as util from 'node:util';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { type Environment, parseEnvironment } from './env.ts';
import { type ParsedSettings, parseSettings } from './parse-settings.ts';
import { findMissing } from './required-secrets.ts';
import { type Settings, settingsSchema } from './schema.ts';

const DEFAULT_PATH = 'config/majordomo.yaml';

type Variables = Readonly<Record<string, string | undefined>>;

export interface LoadedConfig {
	readonly settings: Settings;
	readonly environment: Environment;
	/** The settings file that was, or would be, read. */
	readonly path: string;
	/** False: there is none and everything is as by default. */
	readonly fileFound: boolean;
}

interface LoadOptions {
	/** Variables instead of the process's own; `.env` is then not read. */
	readonly env?: Variables;
	/** Settings file instead of the one that the environment names. */
	readonly path?: string;
	/** `start` (default) also demands what the role needs to run; `none` only checks what is written. */
	readonly check?: 'start' | 'none';
}

const fileProblem = (got: string, hint: string): ConfigProblem => ({ source: 'file', path: '', got, hint });

/** Reads a settings file. A file that does not exist is `missing`; any other trouble with it is a problem. */
export function readSettingsFile(
	path: string,
): ParsedSettings | { readonly ok: false; readonly missing: true; readonly problems: readonly ConfigProblem[] } {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code;
		if (code === 'ENOENT')
			return {
				ok: false,
				missing: true,
				problems: [fileProblem('no such file', 'copy config/majordomo.example.yaml there, or correct the path')],
			};
		const got = code === 'EISDIR' ? 'a folder, not a file' : `cannot be read (${code ?? 'unknown error'})`;
		return { ok: false, problems: [fileProblem(got, 'it has to be a readable file for the user who starts the bot')] };
	}
	if (text.includes('\uFFFD'))
		return { ok: false, problems: [fileProblem('not a text in UTF-8', 'save the file as UTF-8')] };
	return parseSettings(text);
}

/** Variables of `.env` in the working folder, if there is one; the real environment wins over them. */
export function readVariables(): { variables: Variables; problems: ConfigProblem[] } {
	let text: string;
	try {
		text = readFileSync('.env', 'utf8');
	} catch {
		return { variables: process.env, problems: [] };
	}
	// Node 20.12 brought the parser; older ones of the supported range lack it.
	if (typeof util.parseEnv !== 'function') {
		const problem: ConfigProblem = {
			source: 'environment',
			path: '.env',
			got: `Node ${process.version} cannot read it`,
			hint: 'use Node 20.12 or newer, or set the variables in the shell',
		};
		return { variables: process.env, problems: [problem] };
	}
	return { variables: { ...util.parseEnv(text), ...process.env }, problems: [] };
}

/** Settings and environment, checked together. @throws {ConfigError} with every problem of both at once. */
export function loadConfig(options: LoadOptions = {}): LoadedConfig {
	const { variables, problems: envFileProblems } = options.env
		? { variables: options.env, problems: [] }
		: readVariables();
	const environment = parseEnvironment(variables);
	const named = options.path ?? variables['MAJORDOMO_CONFIG']?.trim();
	const path = named || DEFAULT_PATH;
	const file = readSettingsFile(path);
	const fileFound = file.ok || !('missing' in file);
	const isOptional = !named && !fileFound;
	const settings: ParsedSettings = isOptional ? { ok: true, settings: settingsSchema.parse({}) } : file;
	const problems = [
		...(settings.ok ? [] : settings.problems),
		...envFileProblems,
		...(environment.ok ? [] : environment.problems),
	];
	if ((options.check ?? 'start') === 'start' && settings.ok && environment.ok)
		problems.push(...findMissing(settings.settings, environment.environment, variables));
	if (problems.length > 0 || !settings.ok || !environment.ok) throw new ConfigError(problems, path);
	return Object.freeze({ settings: settings.settings, environment: environment.environment, path, fileFound });
}
