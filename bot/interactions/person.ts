import type { BaseInteraction } from 'discord.js';
import type { Person } from '../../core/access/permissions.ts';

/**
 * Who is asking, from what Discord signed into the interaction itself; no cache is trusted. Outside the configured
 * guild a person has no roles and no rights.
 */
export function toPerson(interaction: BaseInteraction, guildId: string | undefined): Person {
	const { user, member } = interaction;
	const isHere = interaction.guildId !== null && (guildId === undefined || interaction.guildId === guildId);
	if (!isHere || member === null) return { id: user.id, roleIds: [] };
	const roleIds = Array.isArray(member.roles) ? member.roles : [...member.roles.cache.keys()];
	return {
		id: user.id,
		roleIds,
		isGuildOwner: interaction.guild?.ownerId === user.id,
		...(interaction.memberPermissions === null ? {} : { permissionBits: interaction.memberPermissions.bitfield }),
	};
}
