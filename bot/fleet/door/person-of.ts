import type { BaseInteraction, Message } from 'discord.js';
import type { Person } from '../../../core/access/permissions.ts';
import type { Presser } from '../../../core/fleet/settle-question.ts';
import { toDiscordFailure } from '../../discord-failure.ts';

/** Who wrote a message, with the rights they have now. Rejects when Discord cannot be asked. */
export async function personOf(message: Message<true>): Promise<Person> {
	const { author, guild } = message;
	// A message out of the history comes without its member.
	const member =
		message.member ??
		(await guild.members.fetch(author.id).catch((error: unknown) => {
			if (toDiscordFailure(error).isPermanent) return null;
			throw error;
		}));
	if (member === null) return { id: author.id, roleIds: [] };
	return {
		id: author.id,
		roleIds: [...member.roles.cache.keys()],
		isGuildOwner: guild.ownerId === author.id,
		permissionBits: member.permissions.bitfield,
	};
}

/** Who wrote a message, for the record. */
export function writerOf(message: Message): Presser {
	return { whoId: message.author.id, who: message.member?.displayName ?? message.author.displayName };
}

/** Who pressed or typed, for the record. */
export function presserOf(interaction: BaseInteraction): Presser {
	const { user, member } = interaction;
	const named = member !== null && 'displayName' in member ? member.displayName : undefined;
	return { whoId: user.id, who: named ?? user.displayName };
}
