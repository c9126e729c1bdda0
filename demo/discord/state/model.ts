import type {
	APIAttachment,
	APIEmbed,
	APIMessageTopLevelComponent,
	APIOverwrite,
	ChannelType,
	InteractionType,
	MessageFlags,
	MessageType,
	PresenceUpdateStatus,
	Snowflake,
} from 'discord-api-types/v10';

/** A user of the loopback Discord: a person somebody speaks as, or the user of a bot application. */
export interface Account {
	id: Snowflake;
	name: string;
	displayName: string;
	isBot: boolean;
	/** Role ids, without @everyone. */
	roleIds: Snowflake[];
	joinedAtMs: number;
	nick: string | null;
	/** False after a kick or ban: the account still exists and authors its old messages. */
	isMember: boolean;
	status: PresenceUpdateStatus;
	activity: string | null;
}

/** A bot application. Its user has the same id, as every application made since 2016 has. */
export interface BotApplication {
	id: Snowflake;
	name: string;
	token: string;
	/** Privileged intents switched on in the (imaginary) developer portal, as a bit field. */
	privilegedIntents: number;
}

export interface Role {
	id: Snowflake;
	name: string;
	color: number;
	permissions: bigint;
	position: number;
	mentionable: boolean;
	hoist: boolean;
}

export interface ThreadState {
	ownerId: Snowflake;
	archived: boolean;
	locked: boolean;
	invitable: boolean;
	autoArchiveMinutes: number;
	archiveChangedAtMs: number;
	createdAtMs: number;
	/** User id → time of joining. */
	members: Map<Snowflake, number>;
	messageCount: number;
	totalMessageSent: number;
}

export interface Channel {
	id: Snowflake;
	type: ChannelType;
	name: string;
	topic: string | null;
	parentId: Snowflake | null;
	position: number;
	overwrites: APIOverwrite[];
	slowmodeSeconds: number;
	/** Message ids, oldest first. */
	messageIds: Snowflake[];
	/** Set for direct messages only. */
	recipientIds?: Snowflake[];
	/** Set for threads only. */
	thread?: ThreadState;
}

export interface Reaction {
	emojiId: Snowflake | null;
	emojiName: string;
	userIds: Set<Snowflake>;
}

export interface MessageInteraction {
	id: Snowflake;
	type: InteractionType;
	userId: Snowflake;
	name?: string;
	targetMessageId?: Snowflake;
}

export interface Message {
	id: Snowflake;
	channelId: Snowflake;
	authorId: Snowflake;
	type: MessageType;
	content: string;
	createdAtMs: number;
	editedAtMs: number | null;
	tts: boolean;
	nonce?: string | number;
	embeds: APIEmbed[];
	components: APIMessageTopLevelComponent[];
	attachments: APIAttachment[];
	flags: MessageFlags;
	pinnedAtMs: number | null;
	/** Users named in `mentions`, i.e. after allowed_mentions was applied. */
	mentionIds: Snowflake[];
	mentionRoleIds: Snowflake[];
	mentionsEveryone: boolean;
	reference?: { messageId?: Snowflake; channelId: Snowflake };
	reactions: Map<string, Reaction>;
	hasThread: boolean;
	interaction?: MessageInteraction;
	/** Set on ephemeral messages: the one person who sees it. */
	audienceId?: Snowflake;
	/** Set on messages made through an interaction token. */
	applicationId?: Snowflake;
}

export interface StoredFile {
	id: Snowflake;
	channelId: Snowflake;
	name: string;
	contentType: string;
	bytes: Uint8Array;
}
