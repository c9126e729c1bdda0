import { ChannelType, MessageFlags, MessageType } from 'discord-api-types/v10';
import { invalidForm, refusal } from '../discord-error.ts';
import { announceUpdate, postMessage } from '../messages/poster.ts';
import type { Channel, Message } from '../state/model.ts';
import { demand } from '../state/permissions.ts';
import { blankChannel, type World } from '../state/world.ts';
import { announceThread } from './thread-state.ts';

export interface ThreadWish {
	name?: unknown;
	type?: number;
	auto_archive_duration?: number | null;
	invitable?: boolean;
}

const archiveDurations = [60, 1440, 4320, 10_080];

export function checkThreadName(name: unknown): string {
	if (typeof name !== 'string' || name.trim() === '') {
		throw invalidForm('name', 'BASE_TYPE_REQUIRED', 'This field is required');
	}
	if ([...name].length > 100) throw invalidForm('name', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
	return name.trim();
}

export function checkArchiveDuration(minutes: number | null | undefined): number {
	if (minutes === undefined || minutes === null) return 4320;
	if (archiveDurations.includes(minutes)) return minutes;
	throw invalidForm(
		'auto_archive_duration',
		'BASE_TYPE_CHOICES',
		`Value must be one of {${archiveDurations.join(', ')}}.`,
	);
}

/**
 * Makes a thread, hung on a message when one is given: then the thread's id is the message's id.
 * Throws 50013, 50024 (not a text channel), 160004 (the message has one already), 50035 (name).
 */
export function makeThread(world: World, parent: Channel, ownerId: string, wish: ThreadWish, on?: Message): Channel {
	if (parent.type !== ChannelType.GuildText) throw refusal('notInChannelType');
	const isPrivate = on === undefined && (wish.type ?? ChannelType.PrivateThread) === ChannelType.PrivateThread;
	demand(world, ownerId, parent, isPrivate ? 'CreatePrivateThreads' : 'CreatePublicThreads');
	if (on !== undefined) {
		if (on.hasThread) throw refusal('threadExists');
		if (on.audienceId !== undefined) throw refusal('unknownMessage');
		if (isSystemMessage(on)) throw refusal('systemMessage');
	}
	const name = checkThreadName(wish.name);
	const atMs = world.now();
	const channel = blankChannel(world, {
		name,
		type: isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread,
		parentId: parent.id,
		thread: {
			ownerId,
			archived: false,
			locked: false,
			invitable: wish.invitable ?? true,
			autoArchiveMinutes: checkArchiveDuration(wish.auto_archive_duration),
			archiveChangedAtMs: atMs,
			createdAtMs: atMs,
			members: new Map([[ownerId, atMs]]),
			messageCount: 0,
			totalMessageSent: 0,
		},
	});
	if (on !== undefined) channel.id = on.id;
	world.channels.set(channel.id, channel);
	announceThread(world, channel, 'THREAD_CREATE', true);
	if (on !== undefined) {
		on.hasThread = true;
		on.flags |= MessageFlags.HasThread;
		announceUpdate(world, on);
		postSystemMessage(world, channel, ownerId, MessageType.ThreadStarterMessage, '', {
			messageId: on.id,
			channelId: parent.id,
		});
	} else if (!isPrivate) {
		postSystemMessage(world, parent, ownerId, MessageType.ThreadCreated, name, { channelId: channel.id });
	}
	return channel;
}

export function isSystemMessage(message: Message): boolean {
	const ordinary = [
		MessageType.Default,
		MessageType.Reply,
		MessageType.ChatInputCommand,
		MessageType.ContextMenuCommand,
	];
	return !ordinary.includes(message.type);
}

export function postSystemMessage(
	world: World,
	channel: Channel,
	authorId: string,
	type: MessageType,
	content: string,
	reference: Message['reference'],
): Message {
	return postMessage(
		world,
		channel,
		{ content, files: [] },
		{ authorId, type, reference, skipPermissions: true, allowEmpty: true },
	);
}
