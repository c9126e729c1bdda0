import {
	type APIMessageTopLevelComponent,
	MessageFlags,
	MessageType,
	PermissionFlagsBits,
} from 'discord-api-types/v10';
import { invalidForm, refusal } from '../discord-error.ts';
import type { EventScope } from '../state/broadcast.ts';
import type { Channel, Message, MessageInteraction } from '../state/model.ts';
import { channelPermissions, isThread } from '../state/permissions.ts';
import { isGuildChannel, renderMessageEvent } from '../state/render.ts';
import type { World } from '../state/world.ts';
import { addThreadMember, countThreadMessage, unarchive } from '../threads/thread-state.ts';
import { mergeAttachments, settleEmbeds } from './attachments.ts';
import { type LooseComponent, walkComponents } from './component-rules.ts';
import { resolveMentions } from './mentions.ts';
import type { MessageBody } from './message-body.ts';
import { checkMessageBody, demandSubstance } from './message-rules.ts';

/** Flags a bot may set when it sends. */
const settableFlags =
	MessageFlags.SuppressEmbeds |
	MessageFlags.SuppressNotifications |
	MessageFlags.IsComponentsV2 |
	MessageFlags.IsVoiceMessage;
const nonceMemoryMs = 5 * 60_000;

/** How a message comes to be, beside its body. */
export interface Origin {
	authorId: string;
	type?: MessageType;
	interaction?: MessageInteraction;
	/** The one person who sees it (ephemeral). */
	audienceId?: string;
	/** A deferred answer: the message says "thinking" and may be empty. */
	loading?: boolean;
	applicationId?: string;
	/** The message a component's answer hangs on. */
	replyToId?: string;
	/** Interaction answers and system messages need no permission to speak. */
	skipPermissions?: boolean;
	allowEmpty?: boolean;
	/** Of system messages that point at a thread or a message elsewhere. */
	reference?: Message['reference'];
}

export function messageScope(message: Message): EventScope {
	return message.audienceId === undefined
		? { kind: 'channel', channelId: message.channelId }
		: { kind: 'users', userIds: [message.audienceId], channelId: message.channelId };
}

function announce(world: World, type: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
	world.events.publish({
		type,
		scope: messageScope(message),
		render: (viewerId) => {
			const payload = renderMessageEvent(world, message, viewerId);
			return type === 'MESSAGE_UPDATE' ? { ...payload, nonce: undefined } : payload;
		},
	});
}

export const announceUpdate = (world: World, message: Message): void => announce(world, 'MESSAGE_UPDATE', message);

function demandSpeech(world: World, channel: Channel, authorId: string, body: MessageBody): void {
	const bits = channelPermissions(world, authorId, channel);
	const speech = isThread(channel) ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
	const needed: bigint[] = [speech];
	if (body.files.length > 0) needed.push(PermissionFlagsBits.AttachFiles);
	if ((body.embeds ?? []).length > 0) needed.push(PermissionFlagsBits.EmbedLinks);
	if (needed.some((bit) => (bits & bit) === 0n)) throw refusal('missingPermissions');
	if (body.message_reference && (bits & PermissionFlagsBits.ReadMessageHistory) === 0n) {
		throw refusal('replyNeedsHistory');
	}
}

/** Gives each component the numeric id that Discord gives those without one. */
function withComponentIds(components: readonly APIMessageTopLevelComponent[]): APIMessageTopLevelComponent[] {
	const copy = JSON.parse(JSON.stringify(components)) as APIMessageTopLevelComponent[];
	const all: LooseComponent[] = [...walkComponents(copy)];
	const taken = new Set(all.flatMap((one) => one.id ?? []));
	let next = 1;
	for (const component of all) {
		if (component.id !== undefined && component.id !== 0) continue;
		while (taken.has(next)) next += 1;
		taken.add(next);
		component.id = next;
	}
	return copy;
}

function findSameNonce(world: World, channel: Channel, authorId: string, nonce: string | number): Message | undefined {
	for (const id of channel.messageIds.slice(-200).reverse()) {
		const message = world.messages.get(id);
		if (message === undefined || world.now() - message.createdAtMs > nonceMemoryMs) continue;
		if (message.authorId === authorId && String(message.nonce) === String(nonce)) return message;
	}
	return undefined;
}

function findReference(world: World, channel: Channel, body: MessageBody): Message | undefined {
	const reference = body.message_reference;
	if (reference === undefined || reference === null) return undefined;
	const target = world.messages.get(reference.message_id);
	if (target !== undefined && target.channelId === channel.id && target.audienceId === undefined) return target;
	if (reference.fail_if_not_exists === false) return undefined;
	throw invalidForm('message_reference', 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', 'Unknown message');
}

/**
 * Checks, stores and announces a message.
 * Throws DiscordError: 50035 malformed, 50006 empty, 50013 not allowed, 160005 locked thread, 40005 file too large.
 * With `enforce_nonce`, a nonce already used by the same author returns the message made then.
 */
export function postMessage(world: World, channel: Channel, body: MessageBody, origin: Origin): Message {
	checkMessageBody(body);
	if (origin.skipPermissions !== true) demandSpeech(world, channel, origin.authorId, body);
	if (body.enforce_nonce === true && body.nonce !== undefined && body.nonce !== null) {
		const same = findSameNonce(world, channel, origin.authorId, body.nonce);
		if (same !== undefined) return same;
	}
	const quoted = findReference(world, channel, body);
	const replyTo = quoted ?? (origin.replyToId === undefined ? undefined : world.messages.get(origin.replyToId));
	if (isThread(channel)) unarchive(world, channel, origin.authorId);
	const attachments = mergeAttachments(world, channel.id, body, []);
	const content = (body.content ?? '').trim();
	const embeds = settleEmbeds(body.embeds ?? [], attachments);
	const components = withComponentIds(body.components ?? []);
	if (origin.loading !== true && origin.allowEmpty !== true) {
		demandSubstance({ content, embeds, components, attachments });
	}
	const mentions = resolveMentions(world, {
		authorId: origin.authorId,
		channel,
		text: content,
		repliedUserId: quoted?.authorId,
		allowed: body.allowed_mentions ?? undefined,
	});
	let flags = (body.flags ?? 0) & settableFlags;
	if (origin.audienceId !== undefined) flags |= MessageFlags.Ephemeral;
	if (origin.loading === true) flags |= MessageFlags.Loading;
	const message: Message = {
		id: world.nextId(),
		channelId: channel.id,
		authorId: origin.authorId,
		type: origin.type ?? (replyTo === undefined ? MessageType.Default : MessageType.Reply),
		content,
		createdAtMs: world.now(),
		editedAtMs: null,
		tts: body.tts ?? false,
		nonce: body.nonce ?? undefined,
		embeds,
		components,
		attachments,
		flags,
		pinnedAtMs: null,
		mentionIds: mentions.userIds,
		mentionRoleIds: mentions.roleIds,
		mentionsEveryone: mentions.everyone,
		reference:
			origin.reference ?? (replyTo === undefined ? undefined : { messageId: replyTo.id, channelId: channel.id }),
		reactions: new Map(),
		hasThread: false,
		interaction: origin.interaction,
		audienceId: origin.audienceId,
		applicationId: origin.applicationId,
	};
	world.messages.set(message.id, message);
	channel.messageIds.push(message.id);
	world.typing.get(channel.id)?.delete(origin.authorId);
	if (isThread(channel) && message.audienceId === undefined) {
		if (message.type !== MessageType.ThreadStarterMessage) countThreadMessage(channel);
		addThreadMember(world, channel, origin.authorId);
		for (const userId of message.mentionIds) addThreadMember(world, channel, userId);
	}
	announce(world, 'MESSAGE_CREATE', message);
	return message;
}

/** Applies an edit. Keys left out stay as they are; the mentions follow the new text but nobody is pinged again. */
export function editMessage(world: World, message: Message, body: MessageBody): Message {
	const channel = world.channels.get(message.channelId);
	if (channel === undefined) throw refusal('unknownChannel');
	if (channel.thread?.archived === true) throw refusal('threadArchived');
	const wasV2 = (message.flags & MessageFlags.IsComponentsV2) !== 0;
	checkMessageBody(wasV2 ? { ...body, flags: (body.flags ?? 0) | MessageFlags.IsComponentsV2 } : body);
	const attachments = mergeAttachments(world, channel.id, body, message.attachments);
	const content = body.content === undefined ? message.content : (body.content ?? '').trim();
	const embeds = body.embeds === undefined ? message.embeds : settleEmbeds(body.embeds ?? [], attachments);
	const components = body.components === undefined ? message.components : withComponentIds(body.components ?? []);
	demandSubstance({ content, embeds, components, attachments });
	if (body.content !== undefined || body.allowed_mentions !== undefined) {
		const mentions = resolveMentions(world, {
			authorId: message.authorId,
			channel,
			text: content,
			allowed: body.allowed_mentions ?? undefined,
		});
		message.mentionIds = mentions.userIds;
		message.mentionRoleIds = mentions.roleIds;
		message.mentionsEveryone = mentions.everyone;
	}
	const wasLoading = (message.flags & MessageFlags.Loading) !== 0;
	if (body.flags !== undefined && body.flags !== null) {
		message.flags =
			(message.flags & ~settableFlags) | (body.flags & settableFlags) | (wasV2 ? MessageFlags.IsComponentsV2 : 0);
	}
	Object.assign(message, { content, embeds, components, attachments });
	message.flags &= ~MessageFlags.Loading;
	// Discord does not mark the first text of a deferred answer as edited.
	if (!wasLoading) message.editedAtMs = world.now();
	announceUpdate(world, message);
	return message;
}

export function deleteMessage(world: World, message: Message): void {
	const channel = world.channels.get(message.channelId);
	if (channel !== undefined) channel.messageIds = channel.messageIds.filter((id) => id !== message.id);
	world.messages.delete(message.id);
	for (const attachment of message.attachments) world.files.delete(attachment.id);
	world.events.publish({
		type: 'MESSAGE_DELETE',
		scope: messageScope(message),
		render: () => ({
			id: message.id,
			channel_id: message.channelId,
			...(isGuildChannel(world, message.channelId) ? { guild_id: world.guildId } : {}),
		}),
	});
}

/** A message by id, as far as this viewer may know of it. Throws 10008 otherwise. */
export function findMessage(world: World, channel: Channel, messageId: string, viewerId: string): Message {
	const message = world.messages.get(messageId);
	if (message === undefined || message.channelId !== channel.id) throw refusal('unknownMessage');
	if (message.audienceId !== undefined && message.audienceId !== viewerId) throw refusal('unknownMessage');
	return message;
}
