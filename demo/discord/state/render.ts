import {
	type APIChannel,
	type APIGuild,
	type APIGuildMember,
	type APIMessage,
	type APIMessageInteractionMetadata,
	type APIRole,
	type APIUser,
	ApplicationIntegrationType,
	ChannelType,
	type GuildMemberFlags,
	InteractionType,
	MessageReferenceType,
	type RoleFlags,
	type ThreadMemberFlags,
} from 'discord-api-types/v10';
import type { Account, Channel, Message, Role } from './model.ts';
import { canView } from './permissions.ts';
import type { World } from './world.ts';

const isoTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00');

export function renderUser(account: Account): APIUser {
	return {
		id: account.id,
		username: account.name,
		discriminator: account.isBot ? '0001' : '0',
		global_name: account.isBot ? null : account.displayName,
		avatar: null,
		bot: account.isBot,
		system: false,
		banner: null,
		accent_color: null,
		public_flags: 0,
		flags: 0,
	} as unknown as APIUser;
}

export function renderMember(account: Account): Omit<APIGuildMember, 'user'> {
	return {
		nick: account.nick,
		avatar: null,
		banner: null,
		roles: account.roleIds,
		joined_at: isoTime(account.joinedAtMs),
		premium_since: null,
		deaf: false,
		mute: false,
		flags: 0 as GuildMemberFlags,
		pending: false,
		communication_disabled_until: null,
	};
}

export function renderMemberWithUser(account: Account): APIGuildMember {
	return { ...renderMember(account), user: renderUser(account) };
}

export function renderRole(role: Role): APIRole {
	return {
		id: role.id,
		name: role.name,
		color: role.color,
		colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
		hoist: role.hoist,
		icon: null,
		unicode_emoji: null,
		position: role.position,
		permissions: role.permissions.toString(),
		managed: false,
		mentionable: role.mentionable,
		flags: 0 as RoleFlags,
	};
}

export function renderThreadMember(channel: Channel, userId: string) {
	return {
		id: channel.id,
		user_id: userId,
		join_timestamp: isoTime(channel.thread?.members.get(userId) ?? 0),
		flags: 0 as ThreadMemberFlags,
	};
}

/** A channel as the API shows it. For threads, `member` is there when the viewer has joined. */
export function renderChannel(world: World, channel: Channel, viewerId?: string): APIChannel {
	const lastMessageId = channel.messageIds.at(-1) ?? null;
	if (channel.type === ChannelType.DM) {
		return {
			id: channel.id,
			type: channel.type,
			flags: 0,
			last_message_id: lastMessageId,
			recipients: (channel.recipientIds ?? [])
				.filter((id) => id !== viewerId)
				.flatMap((id) => world.accounts.get(id) ?? [])
				.map(renderUser),
		} as unknown as APIChannel;
	}
	const shared = {
		id: channel.id,
		type: channel.type,
		guild_id: world.guildId,
		name: channel.name,
		parent_id: channel.parentId,
		rate_limit_per_user: channel.slowmodeSeconds,
		last_message_id: lastMessageId,
		flags: 0,
	};
	const thread = channel.thread;
	if (thread !== undefined) {
		return {
			...shared,
			owner_id: thread.ownerId,
			message_count: thread.messageCount,
			total_message_sent: thread.totalMessageSent,
			member_count: Math.min(thread.members.size, 50),
			thread_metadata: {
				archived: thread.archived,
				auto_archive_duration: thread.autoArchiveMinutes,
				archive_timestamp: isoTime(thread.archiveChangedAtMs),
				locked: thread.locked,
				create_timestamp: isoTime(thread.createdAtMs),
				...(channel.type === ChannelType.PrivateThread ? { invitable: thread.invitable } : {}),
			},
			...(viewerId !== undefined && thread.members.has(viewerId)
				? { member: renderThreadMember(channel, viewerId) }
				: {}),
		} as unknown as APIChannel;
	}
	return {
		...shared,
		position: channel.position,
		topic: channel.topic,
		nsfw: false,
		permission_overwrites: channel.overwrites,
		last_pin_timestamp: null,
		default_thread_rate_limit_per_user: 0,
	} as unknown as APIChannel;
}

function renderInteractionMetadata(world: World, message: Message): Partial<APIMessage> {
	const interaction = message.interaction;
	const account = interaction === undefined ? undefined : world.accounts.get(interaction.userId);
	if (interaction === undefined || account === undefined) return {};
	const metadata = {
		id: interaction.id,
		type: interaction.type,
		user: renderUser(account),
		authorizing_integration_owners: { [ApplicationIntegrationType.GuildInstall]: world.guildId },
		...(interaction.targetMessageId === undefined
			? {}
			: interaction.type === InteractionType.MessageComponent
				? { interacted_message_id: interaction.targetMessageId }
				: { target_message_id: interaction.targetMessageId }),
	} as unknown as APIMessageInteractionMetadata;
	if (interaction.name === undefined) return { interaction_metadata: metadata };
	return {
		interaction_metadata: metadata,
		interaction: { id: interaction.id, type: interaction.type, name: interaction.name, user: renderUser(account) },
	};
}

/** A message as the API shows it to `viewerId`; the quoted message of a reply is included once, not recursively. */
export function renderMessage(world: World, message: Message, viewerId?: string, withQuote = true): APIMessage {
	const author = world.accounts.get(message.authorId);
	const thread = message.hasThread ? world.channels.get(message.id) : undefined;
	const reference = message.reference;
	const quoted = reference?.messageId === undefined ? undefined : world.messages.get(reference.messageId);
	const reactions = [...message.reactions.values()]
		.filter((one) => one.userIds.size > 0)
		.map((one) => {
			const mine = viewerId !== undefined && one.userIds.has(viewerId);
			return {
				emoji: { id: one.emojiId, name: one.emojiName },
				count: one.userIds.size,
				count_details: { normal: one.userIds.size, burst: 0 },
				me: mine,
				me_burst: false,
				burst_me: false,
				burst_count: 0,
				burst_colors: [],
			};
		});
	return {
		id: message.id,
		channel_id: message.channelId,
		author: author === undefined ? deletedUser(message.authorId) : renderUser(author),
		content: message.content,
		timestamp: isoTime(message.createdAtMs),
		edited_timestamp: message.editedAtMs === null ? null : isoTime(message.editedAtMs),
		tts: message.tts,
		mention_everyone: message.mentionsEveryone,
		mentions: message.mentionIds.flatMap((id) => world.accounts.get(id) ?? []).map(renderUser),
		mention_roles: message.mentionRoleIds,
		attachments: message.attachments,
		embeds: message.embeds,
		components: message.components,
		pinned: message.pinnedAtMs !== null,
		type: message.type,
		flags: message.flags,
		...(reactions.length > 0 ? { reactions } : {}),
		...(message.nonce === undefined ? {} : { nonce: message.nonce }),
		...(message.applicationId === undefined
			? {}
			: { application_id: message.applicationId, webhook_id: message.applicationId }),
		...(reference === undefined
			? {}
			: {
					message_reference: {
						type: MessageReferenceType.Default,
						channel_id: reference.channelId,
						...(reference.messageId === undefined ? {} : { message_id: reference.messageId }),
						...(isGuildChannel(world, message.channelId) ? { guild_id: world.guildId } : {}),
					},
				}),
		...(reference?.messageId !== undefined && withQuote
			? { referenced_message: quoted === undefined ? null : renderMessage(world, quoted, viewerId, false) }
			: {}),
		...(thread === undefined ? {} : { thread: renderChannel(world, thread, viewerId) }),
		...renderInteractionMetadata(world, message),
	} as APIMessage;
}

/** The gateway's form of a message: the same with guild and member of the author and of those mentioned. */
export function renderMessageEvent(world: World, message: Message, viewerId: string): object {
	// discord.js opens a direct channel it does not know only when it is told the type.
	const channelType = world.channels.get(message.channelId)?.type;
	const api = { ...renderMessage(world, message, viewerId), channel_type: channelType };
	if (!isGuildChannel(world, message.channelId)) return api;
	const author = world.accounts.get(message.authorId);
	return {
		...api,
		guild_id: world.guildId,
		...(author === undefined ? {} : { member: renderMember(author) }),
		mentions: message.mentionIds
			.flatMap((id) => world.accounts.get(id) ?? [])
			.map((account) => ({ ...renderUser(account), member: renderMember(account) })),
	};
}

function deletedUser(id: string): APIUser {
	return { id, username: 'Deleted User', discriminator: '0000', global_name: null, avatar: null };
}

export function isGuildChannel(world: World, channelId: string): boolean {
	return world.channels.get(channelId)?.type !== ChannelType.DM;
}

/** GUILD_CREATE as one application's session gets it. Only bots with the presence intent get every member. */
export function renderGuild(world: World, viewerId: string, withMembers: boolean): object {
	const channels = [...world.channels.values()].filter((one) => one.type !== ChannelType.DM);
	const accounts = [...world.accounts.values()].filter((one) => one.isMember);
	return {
		...renderGuildObject(world),
		joined_at: isoTime(world.createdAtMs),
		large: false,
		unavailable: false,
		member_count: accounts.length,
		members: accounts.filter((one) => withMembers || one.id === viewerId).map(renderMemberWithUser),
		channels: channels.filter((one) => one.thread === undefined).map((one) => renderChannel(world, one, viewerId)),
		threads: channels
			.filter((one) => one.thread?.archived === false && canView(world, viewerId, one))
			.map((one) => renderChannel(world, one, viewerId)),
		voice_states: [],
		presences: withMembers
			? accounts.map((one) => ({ user: { id: one.id }, status: one.status, activities: [], client_status: {} }))
			: [],
		stage_instances: [],
		guild_scheduled_events: [],
		soundboard_sounds: [],
	};
}

export function renderGuildObject(world: World): Partial<APIGuild> {
	return {
		id: world.guildId,
		name: world.guildName,
		icon: null,
		splash: null,
		discovery_splash: null,
		owner_id: world.ownerId,
		afk_channel_id: null,
		afk_timeout: 300,
		verification_level: 0,
		default_message_notifications: 0,
		explicit_content_filter: 0,
		roles: [...world.roles.values()].map(renderRole),
		emojis: [],
		stickers: [],
		features: [],
		mfa_level: 0,
		application_id: null,
		system_channel_id: null,
		system_channel_flags: 0,
		rules_channel_id: null,
		max_members: 250_000,
		vanity_url_code: null,
		description: null,
		banner: null,
		premium_tier: 0,
		premium_subscription_count: 0,
		preferred_locale: 'en-US',
		public_updates_channel_id: null,
		nsfw_level: 0,
		premium_progress_bar_enabled: false,
		safety_alerts_channel_id: null,
	} as unknown as Partial<APIGuild>;
}
