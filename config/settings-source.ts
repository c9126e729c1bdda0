import { isDeepStrictEqual } from 'node:util';
import { type ConfigProblem, formatProblems } from './config-error.ts';
import { readSettingsFile } from './load.ts';
import { roomEntityIds } from './rooms.ts';
import type { Settings } from './schema.ts';

/** `restartNeeded`: changed settings that are only read at the start, e.g. `http.port`. */
export type ReloadResult =
	| { readonly ok: true; readonly changed: readonly string[]; readonly restartNeeded: readonly string[] }
	| { readonly ok: false; readonly problems: readonly ConfigProblem[]; readonly text: string };

export interface SettingsSource {
	current(): Settings;
	/** Reads the file again. A file that cannot be used changes nothing and says why. Never throws. */
	reload(): ReloadResult;
	/** Hears each change, after it took effect; returns its remover. */
	onChange(listener: (now: Settings, before: Settings) => void): () => void;
}

/** What this module needs of a log. */
interface ReloadLog {
	info(fields: Readonly<Record<string, unknown>>, message: string): void;
	warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** What sockets, connections and models are made from at the start; the rest applies while running. */
const fixed = [
	...['http', 'redis', 'home', 'discord', 'model'],
	...['overseer.audit', 'overseer.decision.maxOutputTokens'],
	...['fleet.pi', 'fleet.concierge.model', 'fleet.concierge.thinking', 'fleet.concierge.maxOutputTokens'],
	...['intake.enabled', 'intake.cxp.enabled', 'intake.inbox', 'intake.governanceDir'],
];
/** What of that is read anew all the same. */
const reloadable = [
	...['discord.adminRoleIds', 'discord.adminUserIds', 'discord.adminChannelId'],
	...['model.prices', 'fleet.pi.directories'],
];

const isIn = (path: string, groups: readonly string[]) =>
	groups.some((group) => path === group || path.startsWith(`${group}.`));

/** Home Assistant is asked for these at the start. */
const devices = ({ rooms }: Settings) => new Set(rooms.flatMap(roomEntityIds));

/** Whether a changed setting waits for a restart. A fleet's channel may move, but not come or go. */
function waits(path: string, before: Settings, now: Settings): boolean {
	if (path === 'rooms') return !isDeepStrictEqual(devices(before), devices(now));
	if (path === 'fleet.channelId') return before.fleet.channelId === undefined || now.fleet.channelId === undefined;
	return isIn(path, fixed) && !isIn(path, reloadable);
}

function changedPaths(before: unknown, now: unknown, path = ''): string[] {
	if (isDeepStrictEqual(before, now)) return [];
	const isGroup = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
	if (!isGroup(before) || !isGroup(now)) return [path];
	const keys = new Set([...Object.keys(before as object), ...Object.keys(now as object)]);
	return [...keys].flatMap((key) =>
		changedPaths(
			(before as Record<string, unknown>)[key],
			(now as Record<string, unknown>)[key],
			path === '' ? key : `${path}.${key}`,
		),
	);
}

/** Settings that can be read anew while running. `initial` saves the first reading; a missing file means defaults. */
export function createSettingsSource(options: { path: string; initial: Settings; log?: ReloadLog }): SettingsSource {
	let settings = options.initial;
	const listeners = new Set<(now: Settings, before: Settings) => void>();
	return {
		current: () => settings,
		reload() {
			const read = readSettingsFile(options.path);
			if (!read.ok) {
				const text = formatProblems(read.problems, options.path);
				options.log?.warn(
					{ path: options.path, problems: read.problems.length },
					'settings not reloaded, the old ones stay',
				);
				return { ok: false, problems: read.problems, text };
			}
			const before = settings;
			settings = read.settings;
			const changed = changedPaths(before, settings);
			const restartNeeded = changed.filter((path) => waits(path, before, settings));
			options.log?.info({ path: options.path, changed, restartNeeded }, 'settings reloaded');
			if (changed.length > 0) {
				for (const listener of listeners) {
					try {
						listener(settings, before);
					} catch (error) {
						options.log?.warn({ error }, 'a part could not take the new settings');
					}
				}
			}
			return { ok: true, changed, restartNeeded };
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
