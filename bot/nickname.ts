import { type Client, type Guild, PermissionFlagsBits } from 'discord.js';
import type { Log } from '../core/ports.ts';

/** Shows the configured name in our guilds. Where we may not, that is worth a notice and nothing more. */
export async function applyNickname(
	client: Client<true>,
	name: string,
	guildId: string | undefined,
	deps: { log: Log; onWarning: (key: string, text: string) => void },
): Promise<void> {
	const guilds = guildId === undefined ? [...client.guilds.cache.values()] : [client.guilds.cache.get(guildId)];
	for (const guild of guilds) {
		if (guild !== undefined)
			await applyIn(guild, name, deps).catch((error: unknown) =>
				deps.log.warn({ error, guildId: guild.id }, 'the nickname could not be set'),
			);
	}
}

async function applyIn(
	guild: Guild,
	name: string,
	{ log, onWarning }: { log: Log; onWarning: (key: string, text: string) => void },
): Promise<void> {
	const me = guild.members.me ?? (await guild.members.fetchMe());
	if (me.displayName === name) return;
	if (!me.permissions.has(PermissionFlagsBits.ChangeNickname)) {
		return onWarning(
			`nickname:${guild.id}`,
			`I am shown as "${me.displayName}" and not as "${name}": my role lacks Change Nickname (Server settings, Roles, my role).`,
		);
	}
	await guild.members.editMe({ nick: name });
	log.info({ guildId: guild.id }, 'nickname set');
}
