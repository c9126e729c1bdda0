import {
	type APIEmbed,
	type APIMessageTopLevelComponent,
	ChannelType,
	ComponentType,
	InteractionType,
	MessageFlags,
} from 'discord-api-types/v10';
import type { Interaction, InteractionPhase, InteractionStore } from '../interactions/interaction-store.ts';
import { isSelect, type LooseComponent, walkComponents } from '../messages/component-rules.ts';
import { pingedUserIds } from '../messages/mentions.ts';
import type { Channel, Message } from '../state/model.ts';
import { canView, hasPermission } from '../state/permissions.ts';
import type { World } from '../state/world.ts';

export interface SeenAuthor {
	id: string;
	name: string;
	displayName: string;
	bot: boolean;
}

export interface SeenControl {
	customId: string | null;
	kind: 'button' | 'select';
	label: string | null;
	/** Button style 1–6. */
	style: number | null;
	url: string | null;
	disabled: boolean;
	options: { value: string; label: string; description: string | null; default: boolean }[];
	min: number | null;
	max: number | null;
	/** Component type, see Discord's list: 2 button, 3 string select, 5 user, 6 role, 7 mentionable, 8 channel. */
	type: number;
}

/** A message as a person sees it. */
export interface SeenMessage {
	id: string;
	channel: string;
	channelId: string;
	author: SeenAuthor;
	text: string;
	/** Everything there is to read: text, embeds, text blocks of components. */
	allText: string;
	/** Discord's message type: 0 plain, 19 reply, 20 slash answer, 23 context-menu answer, 6 pin, 18/21 thread notices. */
	type: number;
	atMs: number;
	editedAtMs: number | null;
	replyTo: { id: string; author: string; text: string } | null;
	embeds: APIEmbed[];
	/** Raw components for drawing; `controls` lists the usable ones. */
	components: APIMessageTopLevelComponent[];
	controls: SeenControl[];
	attachments: { id: string; name: string; size: number; contentType: string; url: string }[];
	reactions: { emoji: string; count: number; by: string[] }[];
	/** Names of those whose client makes a sound. */
	pings: string[];
	ephemeral: boolean;
	/** The one person who sees it, for ephemeral messages. */
	onlyFor: string | null;
	/** A deferred answer that has no text yet. */
	thinking: boolean;
	pinned: boolean;
	thread: { id: string; name: string } | null;
	interaction: { id: string; name: string | null; by: string } | null;
	flags: number;
}

const nameOf = (world: World, id: string): string => world.accounts.get(id)?.name ?? id;

function seenAuthor(world: World, id: string): SeenAuthor {
	const account = world.accounts.get(id);
	return {
		id,
		name: account?.name ?? 'deleted',
		displayName: account?.nick ?? account?.displayName ?? 'Deleted User',
		bot: account?.isBot ?? false,
	};
}

function seenControl(component: LooseComponent): SeenControl {
	return {
		customId: component.custom_id ?? null,
		kind: component.type === ComponentType.Button ? 'button' : 'select',
		label: component.label ?? component.placeholder ?? component.emoji?.name ?? null,
		style: component.style ?? null,
		url: component.url ?? null,
		disabled: component.disabled === true,
		options: (component.options ?? []).map((one) => ({
			value: one.value ?? '',
			label: one.label ?? '',
			description: one.description ?? null,
			default: one.default === true,
		})),
		min: component.type === ComponentType.Button ? null : (component.min_values ?? 1),
		max: component.type === ComponentType.Button ? null : (component.max_values ?? 1),
		type: component.type ?? 0,
	};
}

function readable(message: Message): string {
	const parts: (string | undefined)[] = [message.content];
	for (const embed of message.embeds) {
		parts.push(embed.author?.name, embed.title, embed.description);
		for (const field of embed.fields ?? []) parts.push(field.name, field.value);
		parts.push(embed.footer?.text);
	}
	for (const component of walkComponents(message.components)) parts.push(component.content);
	return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

export function seenMessage(world: World, message: Message): SeenMessage {
	const channel = world.channels.get(message.channelId);
	const quoted = world.messages.get(message.reference?.messageId ?? '');
	const thread = message.hasThread ? world.channels.get(message.id) : undefined;
	const pinged = pingedUserIds(world, {
		userIds: message.mentionIds,
		roleIds: message.mentionRoleIds,
		everyone: message.mentionsEveryone,
	});
	const all = [...walkComponents(message.components)];
	return {
		id: message.id,
		channel: channel?.name ?? message.channelId,
		channelId: message.channelId,
		author: seenAuthor(world, message.authorId),
		text: message.content,
		allText: readable(message),
		type: message.type,
		atMs: message.createdAtMs,
		editedAtMs: message.editedAtMs,
		replyTo:
			quoted === undefined
				? null
				: { id: quoted.id, author: nameOf(world, quoted.authorId), text: quoted.content.slice(0, 200) },
		embeds: message.embeds,
		components: message.components,
		controls: all.filter((one) => one.type === ComponentType.Button || isSelect(one)).map(seenControl),
		attachments: message.attachments.map((one) => ({
			id: one.id,
			name: one.filename,
			size: one.size,
			contentType: one.content_type ?? 'application/octet-stream',
			url: one.url,
		})),
		reactions: [...message.reactions.values()].map((one) => ({
			emoji: one.emojiName,
			count: one.userIds.size,
			by: [...one.userIds].map((id) => nameOf(world, id)),
		})),
		pings: pinged
			.filter((id) => id !== message.authorId && channel !== undefined && canView(world, id, channel))
			.map((id) => nameOf(world, id)),
		ephemeral: message.audienceId !== undefined,
		onlyFor: message.audienceId === undefined ? null : nameOf(world, message.audienceId),
		thinking: (message.flags & MessageFlags.Loading) !== 0,
		pinned: message.pinnedAtMs !== null,
		thread: thread === undefined ? null : { id: thread.id, name: thread.name },
		interaction:
			message.interaction === undefined
				? null
				: {
						id: message.interaction.id,
						name: message.interaction.name ?? null,
						by: nameOf(world, message.interaction.userId),
					},
		flags: message.flags,
	};
}

/** How an interaction stands. */
export interface SeenInteraction {
	id: string;
	kind: 'command' | 'component' | 'autocomplete' | 'modal';
	by: string;
	bot: string;
	/** "room state" of a command, the custom id of a component or modal. */
	label: string;
	channelId: string;
	/** `failed`: nothing came within 3 s, the person reads "The application did not respond". */
	state: InteractionPhase;
	acknowledged: boolean;
	/** Time from sending to the first answer. */
	acknowledgedAfterMs: number | null;
	/** False while a deferred answer still waits for its text. */
	complete: boolean;
	ephemeral: boolean;
	/** The answer, or the updated message. */
	message: SeenMessage | null;
	followUps: SeenMessage[];
	/** The modal now open for the person, as the bot sent it. */
	modal: object | null;
	choices: { name: string; value: string | number }[] | null;
}

const kindOf: Partial<Record<InteractionType, SeenInteraction['kind']>> = {
	[InteractionType.ApplicationCommand]: 'command',
	[InteractionType.MessageComponent]: 'component',
	[InteractionType.ApplicationCommandAutocomplete]: 'autocomplete',
	[InteractionType.ModalSubmit]: 'modal',
};

export function seenInteraction(world: World, store: InteractionStore, one: Interaction): SeenInteraction {
	const show = (id: string | undefined): SeenMessage | null => {
		const message = world.messages.get(id ?? '');
		return message === undefined ? null : seenMessage(world, message);
	};
	return {
		id: one.id,
		kind: kindOf[one.type] ?? 'command',
		by: nameOf(world, one.userId),
		bot: world.applications.get(one.applicationId)?.name ?? one.applicationId,
		label: one.label,
		channelId: one.channelId,
		state: store.phase(one),
		acknowledged: one.answeredAtMs !== undefined,
		acknowledgedAfterMs: one.answeredAtMs === undefined ? null : one.answeredAtMs - one.createdAtMs,
		complete: one.completedAtMs !== undefined,
		ephemeral: one.ephemeral,
		message: show(one.originalMessageId),
		followUps: one.followUpIds.flatMap((id) => show(id) ?? []),
		modal: one.modal ?? null,
		choices: (one.choices as SeenInteraction['choices'] | undefined) ?? null,
	};
}

/** A channel or thread as a person sees it. */
export interface SeenChannel {
	id: string;
	name: string;
	kind: 'category' | 'text' | 'public-thread' | 'private-thread' | 'dm';
	topic: string | null;
	parentId: string | null;
	position: number;
	canSend: boolean;
	archived: boolean;
	locked: boolean;
	/** Names of a thread's members or of a direct message's partners. */
	members: string[];
	lastMessageId: string | null;
}

const channelKind: Partial<Record<ChannelType, SeenChannel['kind']>> = {
	[ChannelType.GuildCategory]: 'category',
	[ChannelType.PublicThread]: 'public-thread',
	[ChannelType.PrivateThread]: 'private-thread',
	[ChannelType.DM]: 'dm',
};

export function seenChannel(world: World, channel: Channel, viewerId?: string): SeenChannel {
	const thread = channel.thread;
	const speech = thread === undefined ? 'SendMessages' : 'SendMessagesInThreads';
	const members = [...(thread?.members.keys() ?? channel.recipientIds ?? [])];
	return {
		id: channel.id,
		name: channel.name,
		kind: channelKind[channel.type] ?? 'text',
		topic: channel.topic,
		parentId: channel.parentId,
		position: channel.position,
		canSend: viewerId === undefined || hasPermission(world, viewerId, channel, speech),
		archived: thread?.archived ?? false,
		locked: thread?.locked ?? false,
		members: members.map((id) => nameOf(world, id)),
		lastMessageId: channel.messageIds.at(-1) ?? null,
	};
}
