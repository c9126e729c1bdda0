import { hostname } from 'node:os';
import { join } from 'node:path';
import type { RedisConnection } from './adapters/redis/connection.ts';
import { createReloadCalls } from './adapters/redis/stores/reload-calls.ts';
import { ConfigError } from './config/config-error.ts';
import { readPromptFiles } from './config/prompt-files.ts';
import type { Settings } from './config/schema.ts';
import type { ReloadResult } from './config/settings-source.ts';
import type { HouseReload, ReloadOutcome } from './core/operations/house-reload.ts';
import type { Log } from './core/ports.ts';
import { checkPrompts, PROMPT_FILES, type PromptTexts } from './prompts/render.ts';

export interface ReloadDeps {
	/** Reads the settings file; absent where settings come from no file. */
	readonly read: (() => ReloadResult) | undefined;
	/** Throws why the old prompts stay. */
	readonly readPrompts: () => void;
	readonly redis: RedisConnection;
	readonly role: string;
	readonly newId: () => string;
	readonly log: Log;
}

/** Settings and prompts read again: in this process by a signal, in all of them by a command. */
export function composeReload({ read, readPrompts, redis, role, newId, log }: ReloadDeps) {
	const own = (): ReloadOutcome => {
		const reloaded = read?.();
		if (reloaded?.ok === false) {
			log.error({ problems: reloaded.text }, 'settings not reloaded; the old ones stay');
			return { changed: [], restartNeeded: [], settingsKept: reloaded.text };
		}
		const { changed = [], restartNeeded = [] } = reloaded ?? {};
		try {
			readPrompts();
			return { changed, restartNeeded };
		} catch (error) {
			log.error({ error }, 'prompts not reloaded; the old ones stay');
			return { changed, restartNeeded, promptsKept: error instanceof Error ? error.message : String(error) };
		}
	};
	const name = `${role} on ${hostname()} (${process.pid})`;
	const calls = createReloadCalls(redis, { self: newId(), name, newId, reload: own });
	const house: HouseReload = {
		async reload() {
			const here = own();
			try {
				return { own: here, others: await calls.call() };
			} catch (error) {
				// It holds here all the same.
				log.warn({ error }, 'no other process could be asked to read settings again');
				return { own: here, others: [] };
			}
		},
	};
	return { own, house, stop: calls.stop };
}

/** The prompts as they stand in the files now. Throws `ConfigError` with every problem. */
export function readPrompts(settings: Pick<Settings, 'promptsDir'>, root: string): PromptTexts {
	const found = readPromptFiles({
		names: PROMPT_FILES.map((name) => name.replace(/\.md$/, '')),
		builtInDir: join(root, 'prompts'),
		...(settings.promptsDir === undefined ? {} : { overrideDir: settings.promptsDir }),
	});
	if (!found.ok) throw new ConfigError(found.problems, 'prompts');
	return checkPrompts(Object.fromEntries(Object.entries(found.files).map(([name, text]) => [`${name}.md`, text])));
}
