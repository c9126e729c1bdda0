import { type Client, type Guild, PermissionFlagsBits } from 'discord.js';
import type { Log } from '../core/ports.ts';

export interface NicknameDeps {
	readonly log: Log;
	readonly onWarning: (key: string, text: string) => void;
}

/** Shows the configured name where we are known. Where we may not, that is worth a notice and nothing more. */
export interface Nickname {
	/** Sets the name in the guild (or all) unless it was set before; `force` looks again. Never rejects. */
	apply(client: Client<true>, name: string, guildId: string | undefined, force?: boolean): Promise<void>;
}

export function createNickname({ log, onWarning }: NicknameDeps): Nickname {
	/** Guild → name as last handled. Our own member's cache may lag behind, so it is not asked again. */
	const handled = new Map<string, string>();

	const applyIn = async (guild: Guild, name: string) => {
		const me = guild.members.me ?? (await guild.members.fetchMe());
		handled.set(guild.id, name);
		if (me.displayName === name) return;
		if (!me.permissions.has(PermissionFlagsBits.ChangeNickname)) {
			const shown = `I am shown as "${me.displayName}" and not as "${name}"`;
			return onWarning(
				`nickname:${name}`,
				`${shown}: my role lacks Change Nickname (Server settings, Roles, my role).`,
			);
		}
		await guild.members.editMe({ nick: name });
		log.info({ guildId: guild.id }, 'nickname set');
	};

	return {
		async apply(client, name, guildId, force = false) {
			const guilds = guildId === undefined ? [...client.guilds.cache.values()] : [client.guilds.cache.get(guildId)];
			for (const guild of guilds) {
				if (guild === undefined || (!force && handled.get(guild.id) === name)) continue;
				await applyIn(guild, name).catch((error: unknown) => {
					log.warn({ error, guildId: guild.id }, 'the nickname could not be set');
				});
			}
		},
	};
}
