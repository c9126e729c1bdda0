import { stat } from 'node:fs/promises';
import type { ConfigProblem } from '../../config/config-error.ts';
import { parseEnvironment } from '../../config/env.ts';
import { readSettingsFile, readVariables } from '../../config/load.ts';
import { findMissing } from '../../config/required-secrets.ts';
import { type Settings, settingsSchema } from '../../config/schema.ts';
import { type Finding, findingsOf } from '../../core/operations/finding.ts';
import type { Checked } from './context.ts';

const { error, warning, info } = findingsOf('config');

/** The configuration as far as it can be read: where it is wrong, defaults stand in, so that the rest can be looked at. */
export async function checkConfig(given: {
	variables?: Readonly<Record<string, string | undefined>> | undefined;
	path?: string | undefined;
	/** Folder of `.env`. */
	folder: string;
}) {
	const read = given.variables ? { variables: given.variables, problems: [] } : readVariables();
	const { variables } = read;
	const parsed = parseEnvironment(variables);
	const fallback = parseEnvironment({});
	if (!fallback.ok) throw new Error('the environment has no defaults');
	const environment = parsed.ok ? parsed.environment : fallback.environment;
	const named = given.path ?? variables['MAJORDOMO_CONFIG']?.trim();
	const path = named || 'config/majordomo.yaml';
	const file = readSettingsFile(path);
	const isAbsent = !named && !file.ok && 'missing' in file;
	const settings: Settings = file.ok ? file.settings : settingsSchema.parse({});
	const problems = [
		...(file.ok || isAbsent ? [] : file.problems),
		...read.problems,
		...(parsed.ok ? [] : parsed.problems),
		...((file.ok || isAbsent) && parsed.ok ? findMissing(settings, environment, variables) : []),
	];
	const findings: Finding[] = [
		...problems.map((problem) => findingOf(problem, path)),
		...(await openSecrets(given.folder)),
	];
	if (isAbsent)
		findings.push(
			info(
				'config_absent',
				`There is no ${path}: everything is as by default, without a room.`,
				'npm run setup writes it.',
			),
		);
	else if (file.ok && settings.rooms.length === 0)
		findings.push(
			info('no_rooms', `${path} names no room, so the overseer has nothing to keep.`, 'npm run setup adds one.'),
		);
	const count = settings.rooms.length === 1 ? '1 room' : `${settings.rooms.length} rooms`;
	const detail = file.ok
		? `${path}, ${count}, role ${environment.role}`
		: isAbsent
			? 'no settings file'
			: `${path} cannot be used`;
	return { settings, environment, variables, checked: { detail, findings } satisfies Checked };
}

function findingOf({ source, path, line, got, hint }: ConfigProblem, file: string): Finding {
	const place = source === 'file' ? `${file}${line === undefined ? '' : `:${line}`}` : source;
	return error(
		`config_${source}`,
		`${place}: ${path === '' ? got : `${path} is ${got}`}.`,
		`${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
	);
}

/** Secrets that every user of this machine can read. */
async function openSecrets(folder: string): Promise<Finding[]> {
	const found = await stat(`${folder}/.env`).catch(() => undefined);
	if (found === undefined || process.platform === 'win32' || (found.mode & 0o077) === 0) return [];
	return [warning('env_open', '.env can be read by other users of this machine.', 'chmod 600 .env')];
}
