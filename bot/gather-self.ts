import type { Client, Guild, GuildBasedChannel } from 'discord.js';
import type { BotSettings } from './deps.ts';
import type { ChannelFacts, SelfFacts } from './self-check.ts';

/** Reads from caches and Discord what the self-check judges. */
export async function gatherSelf(
	client: Client<true>,
	{ discord, rooms, overseer, intake, fleet }: BotSettings,
): Promise<SelfFacts> {
	const guild = discord.guildId === undefined ? client.guilds.cache.first() : client.guilds.cache.get(discord.guildId);
	const me =
		guild === undefined ? undefined : (guild.members.me ?? (await guild.members.fetchMe().catch(() => undefined)));
	const admin = new Set(
		[discord.adminChannelId, ...rooms.map((room) => room.adminChannelId)].filter((id) => id !== undefined),
	);
	const wanted = [
		...rooms.map((room) => ({ channelId: room.channelId, use: 'room' as const })),
		...[...admin].map((channelId) => ({ channelId, use: 'admin' as const })),
		...(intake.enabled ? intake.channels : []).map(({ channelId }) => ({ channelId, use: 'intake' as const })),
		...(fleet.channelId === undefined ? [] : [{ channelId: fleet.channelId, use: 'fleet' as const }]),
	];
	return {
		guildFound: guild !== undefined,
		guildId: discord.guildId,
		channels: await Promise.all(wanted.map(({ channelId, use }) => channelFacts(client, guild, channelId, use))),
		guildPermissions: me?.permissions.bitfield ?? 0n,
		wantedName: overseer.name,
		shownName: me?.displayName ?? client.user.displayName,
		messageContent: discord.messageContent,
		adminsConfigured: discord.adminRoleIds.length + discord.adminUserIds.length > 0,
		rolePosition: me?.roles.highest.position ?? 0,
	};
}

async function channelFacts(
	client: Client<true>,
	guild: Guild | undefined,
	channelId: string,
	use: ChannelFacts['use'],
): Promise<ChannelFacts> {
	const channel = await client.channels.fetch(channelId).catch(() => null);
	const me = guild?.members.me;
	if (channel === null || channel.isDMBased()) return { channelId, use, state: 'missing', permissions: 0n };
	const inGuild: GuildBasedChannel = channel;
	const permissions = me === null || me === undefined ? 0n : (inGuild.permissionsFor(me)?.bitfield ?? 0n);
	return { channelId, use, state: inGuild.isTextBased() ? 'ok' : 'not_text', permissions };
}
