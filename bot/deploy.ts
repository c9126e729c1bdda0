import { createHash } from 'node:crypto';
import { type Client, Routes } from 'discord.js';
import type { DiscordSettings } from '../config/discord.ts';
import type { Log } from '../core/ports.ts';
import { commandData } from './commands/data.ts';
import type { DeployMemory } from './deps.ts';

export interface DeployDeps {
	readonly memory: DeployMemory;
	readonly log: Log;
	readonly data?: readonly unknown[];
}

/**
 * Registers the commands by one bulk overwrite, and only when they differ from what was registered last: Discord allows
 * 200 a day. In `guild` scope they belong to the configured guild, or to every guild we are in. Returns what was written.
 */
export async function deployCommands(
	client: Client<true>,
	settings: DiscordSettings,
	deps: DeployDeps,
): Promise<string[]> {
	const data = deps.data ?? commandData;
	const hash = hashOf(data);
	const written: string[] = [];
	for (const { scope, route } of scopesOf(client, settings)) {
		const known = await deps.memory.get(scope).catch(() => undefined);
		if (known === hash) continue;
		await client.rest.put(route, { body: data });
		await deps.memory.set(scope, hash).catch((error: unknown) => {
			deps.log.warn(
				{ error, scope },
				'commands are registered, but that could not be noted; the next start registers them again',
			);
		});
		deps.log.info({ scope, commands: data.length }, 'commands registered');
		written.push(scope);
	}
	return written;
}

/** Changes with any name, option, text or permission of the commands. */
export function hashOf(data: readonly unknown[]): string {
	return createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 32);
}

function scopesOf(
	client: Client<true>,
	{ commandScope, guildId }: DiscordSettings,
): { scope: string; route: `/${string}` }[] {
	const app = client.application.id;
	if (commandScope === 'global') return [{ scope: `${app}:global`, route: Routes.applicationCommands(app) }];
	const guildIds = guildId === undefined ? [...client.guilds.cache.keys()] : [guildId];
	return guildIds.map((id) => ({ scope: `${app}:${id}`, route: Routes.applicationGuildCommands(app, id) }));
}
