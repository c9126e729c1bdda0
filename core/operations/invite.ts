/** Discord's permission bits that the bot asks for, with the names that Discord's own pages show. */
export const INVITE_PERMISSIONS = [
	{ name: 'View Channels', bit: 1n << 10n },
	{ name: 'Send Messages', bit: 1n << 11n },
	{ name: 'Embed Links', bit: 1n << 14n },
	{ name: 'Attach Files', bit: 1n << 15n },
	{ name: 'Read Message History', bit: 1n << 16n },
	{ name: 'Change Nickname', bit: 1n << 26n },
	{ name: 'Create Public Threads', bit: 1n << 35n },
	{ name: 'Create Private Threads', bit: 1n << 36n },
	{ name: 'Send Messages in Threads', bit: 1n << 38n },
] as const;

/** The page on which an administrator lets the bot in, with exactly these permissions. */
export function inviteLink(applicationId: string, guildId?: string): string {
	const permissions = INVITE_PERMISSIONS.reduce((bits, { bit }) => bits | bit, 0n);
	const query = new URLSearchParams({
		client_id: applicationId,
		scope: 'bot applications.commands',
		permissions: permissions.toString(),
		...(guildId === undefined ? {} : { guild_id: guildId, disable_guild_select: 'true' }),
	});
	return `https://discord.com/oauth2/authorize?${query}`;
}
