import { type PermissionResolvable, PermissionsBitField } from 'discord.js';

/** What one channel needs, what we have there, and where it is used. */
export interface ChannelFacts {
	readonly channelId: string;
	readonly use: 'room' | 'admin' | 'intake' | 'fleet';
	/** `missing`: no such channel, or we do not see it. */
	readonly state: 'ok' | 'missing' | 'not_text';
	/** Our permissions there, as Discord's bit field. */
	readonly permissions: bigint;
}

export interface SelfFacts {
	readonly channels: readonly ChannelFacts[];
	readonly guildFound: boolean;
	readonly guildId?: string | undefined;
	/** Guild-wide permissions of ours. */
	readonly guildPermissions: bigint;
	readonly wantedName: string;
	readonly shownName: string;
	readonly messageContent: boolean;
	readonly adminsConfigured: boolean;
	/** Our highest role's place above @everyone. */
	readonly rolePosition: number;
}

export interface Finding {
	readonly severity: 'error' | 'warning' | 'info';
	/** Stable, e.g. `channel_permissions`. */
	readonly code: string;
	readonly what: string;
	/** What exactly to do about it. */
	readonly fix: string;
}

const needs: Readonly<Record<ChannelFacts['use'], readonly (keyof typeof PermissionsBitField.Flags)[]>> = {
	room: ['ViewChannel', 'SendMessages', 'ReadMessageHistory', 'AttachFiles'],
	admin: ['ViewChannel', 'SendMessages', 'ReadMessageHistory', 'EmbedLinks', 'AttachFiles'],
	intake: [
		'ViewChannel',
		'SendMessages',
		'SendMessagesInThreads',
		'CreatePrivateThreads',
		'CreatePublicThreads',
		'ReadMessageHistory',
		'EmbedLinks',
		'AttachFiles',
	],
	fleet: [
		'ViewChannel',
		'SendMessages',
		'SendMessagesInThreads',
		'CreatePublicThreads',
		'ReadMessageHistory',
		'EmbedLinks',
		'AttachFiles',
	],
};

const settingOf: Readonly<Record<ChannelFacts['use'], string>> = {
	room: 'rooms[].channelId',
	admin: 'adminChannelId',
	intake: 'intake.channels[].channelId',
	fleet: 'fleet.channelId',
};

const words: Partial<Record<keyof typeof PermissionsBitField.Flags, string>> = {
	ViewChannel: 'View Channel',
	SendMessages: 'Send Messages',
	ReadMessageHistory: 'Read Message History',
	AttachFiles: 'Attach Files',
	SendMessagesInThreads: 'Send Messages in Threads',
	CreatePrivateThreads: 'Create Private Threads',
	CreatePublicThreads: 'Create Public Threads',
	EmbedLinks: 'Embed Links',
};

/** Everything that is in the way, each with its repair. Discord's own refusals never name the missing permission. */
export function checkSelf(facts: SelfFacts): Finding[] {
	return [
		...(facts.guildFound ? [] : [guildFinding(facts.guildId)]),
		...facts.channels.flatMap(channelFindings),
		...nameFindings(facts),
		...(facts.messageContent
			? []
			: [
					{
						severity: 'info' as const,
						code: 'no_message_content',
						what: 'discord.messageContent is off: I hear only mentions, replies to me, commands and forms. Bursts, topics and my plain name go unnoticed.',
						fix: 'Set discord.messageContent: true and switch on "Message Content Intent" in the developer portal (Bot page).',
					},
				]),
		...(facts.adminsConfigured
			? []
			: [
					{
						severity: 'warning' as const,
						code: 'no_admins',
						what: 'No admin is named: everybody with Manage Server may steer me.',
						fix: 'Set discord.adminRoleIds or discord.adminUserIds.',
					},
				]),
	];
}

function guildFinding(guildId: string | undefined): Finding {
	return {
		severity: 'error',
		code: 'guild_missing',
		what: guildId === undefined ? 'I am in no server.' : `I am not in the server ${guildId} that the settings name.`,
		fix: 'Invite me with the scopes `bot applications.commands` (npm run setup prints the link), or correct discord.guildId.',
	};
}

function channelFindings({ channelId, use, state, permissions }: ChannelFacts): Finding[] {
	const setting = settingOf[use];
	if (state === 'missing')
		return [
			{
				severity: 'error',
				code: 'channel_missing',
				what: `The ${use} channel ${channelId} does not exist or is hidden from me.`,
				fix: `Give my role View Channel in <#${channelId}>, or correct ${setting}.`,
			},
		];
	if (state === 'not_text')
		return [
			{
				severity: 'error',
				code: 'channel_not_text',
				what: `<#${channelId}> takes no messages.`,
				fix: `Set ${setting} to a text channel.`,
			},
		];
	const have = new PermissionsBitField(permissions);
	const missing = needs[use].filter((name) => !have.has(name as PermissionResolvable));
	if (missing.length === 0) return [];
	const names = missing.map((name) => words[name] ?? name).join(', ');
	return [
		{
			severity: missing.some((name) => name === 'ViewChannel' || name === 'SendMessages') ? 'error' : 'warning',
			code: 'channel_permissions',
			what: `In <#${channelId}> (${use}) I lack: ${names}.`,
			fix: `Channel settings of <#${channelId}>, Permissions, add my role, allow: ${names}.`,
		},
	];
}

function nameFindings({ guildFound, guildPermissions, wantedName, shownName, rolePosition }: SelfFacts): Finding[] {
	const may = new PermissionsBitField(guildPermissions).has(PermissionsBitField.Flags.ChangeNickname);
	if (!guildFound || shownName === wantedName || may) return [];
	const place = rolePosition === 0 ? ' (I have no role of my own: invite me anew, so that Discord makes one)' : '';
	return [
		{
			severity: 'info',
			code: 'nickname',
			what: `I am shown as "${shownName}" and not as "${wantedName}".`,
			fix: `Server settings, Roles, my role: allow Change Nickname${place}. Or set the nickname by hand.`,
		},
	];
}
