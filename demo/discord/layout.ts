/** What a loopback guild looks like at the start. Names are looked up without regard to case. */
export interface GuildLayout {
	name?: string;
	id?: string;
	roles?: RoleSeed[];
	people?: PersonSeed[];
	channels?: ChannelSeed[];
}

export interface RoleSeed {
	name: string;
	id?: string;
	/** Names of discord-api-types' PermissionFlagsBits. */
	permissions?: string[];
	color?: number;
	mentionable?: boolean;
}

export interface PersonSeed {
	name: string;
	id?: string;
	displayName?: string;
	/** Names of roles. */
	roles?: string[];
}

export interface ChannelSeed {
	name: string;
	id?: string;
	topic?: string;
	/** Name of a category; it is made when it does not exist. */
	category?: string;
	/** Only these roles (and bots) see the channel. Administrators always do. */
	onlyRoles?: string[];
}

export interface BotSeed {
	name: string;
	token?: string;
	applicationId?: string;
	/** Names of privileged intents the portal allows; all three by default. */
	privilegedIntents?: ('GuildMembers' | 'GuildPresences' | 'MessageContent')[];
	/** Names of permissions of the bot's own role; a sensible minimum by default. */
	permissions?: string[];
}

/** What the README's invite link asks for: enough for every feature, nothing beyond. */
export const defaultBotPermissions = [
	'ViewChannel',
	'SendMessages',
	'SendMessagesInThreads',
	'CreatePublicThreads',
	'CreatePrivateThreads',
	'ManageThreads',
	'EmbedLinks',
	'AttachFiles',
	'ReadMessageHistory',
	'AddReactions',
	'PinMessages',
	'UseExternalEmojis',
];

export const everyonePermissions = [
	'ViewChannel',
	'SendMessages',
	'SendMessagesInThreads',
	'CreatePublicThreads',
	'CreatePrivateThreads',
	'EmbedLinks',
	'AttachFiles',
	'ReadMessageHistory',
	'AddReactions',
	'UseApplicationCommands',
	'UseExternalEmojis',
	'ChangeNickname',
];

/**
 * The rehearsal house: three public channels, one for administrators, three people. They have the same ids at every start,
 * so that what the bot remembers of somebody still belongs to them.
 */
export const defaultLayout: Required<Pick<GuildLayout, 'name' | 'roles' | 'people' | 'channels'>> = {
	name: 'The Rehearsal House',
	roles: [
		{ name: 'Admin', permissions: ['Administrator'], color: 0xf0b232 },
		{ name: 'Resident', permissions: [], color: 0x57c7a3, mentionable: true },
	],
	people: [
		{ name: 'alex', id: '1000000000000000001', displayName: 'Alex', roles: ['Admin', 'Resident'] },
		{ name: 'sam', id: '1000000000000000002', displayName: 'Sam', roles: ['Resident'] },
		{ name: 'casey', id: '1000000000000000003', displayName: 'Casey' },
	],
	channels: [
		{ name: 'room', topic: 'The room and the one who keeps it', category: 'House' },
		{ name: 'intake', topic: 'Bring a wish, leave with a specification', category: 'House' },
		{ name: 'fleet', topic: 'Coding sessions and their concierge', category: 'House' },
		{ name: 'admin', topic: 'Panels and switches', category: 'Staff', onlyRoles: ['Admin'] },
	],
};
