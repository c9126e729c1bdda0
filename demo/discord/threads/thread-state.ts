import { ChannelType, PermissionFlagsBits } from 'discord-api-types/v10';
import { refusal } from '../discord-error.ts';
import type { Channel, ThreadState } from '../state/model.ts';
import { canView, channelPermissions } from '../state/permissions.ts';
import { renderChannel, renderMemberWithUser, renderThreadMember } from '../state/render.ts';
import type { World } from '../state/world.ts';

export function threadOf(channel: Channel): ThreadState {
	if (channel.thread === undefined) throw refusal('notInChannelType');
	return channel.thread;
}

export function announceThread(
	world: World,
	channel: Channel,
	type: 'THREAD_CREATE' | 'THREAD_UPDATE',
	isNew = false,
): void {
	world.events.publish({
		type,
		scope: { kind: 'channel', channelId: channel.id },
		render: (viewerId) => ({ ...renderChannel(world, channel, viewerId), ...(isNew ? { newly_created: true } : {}) }),
	});
}

/** Puts a user into a thread. Those who could not see a private thread before now hear of its existence. */
export function addThreadMember(world: World, channel: Channel, userId: string): void {
	const thread = threadOf(channel);
	const account = world.accounts.get(userId);
	if (account === undefined || thread.members.has(userId)) return;
	const parent = world.channels.get(channel.parentId ?? '');
	if (parent === undefined || !canView(world, userId, parent)) return;
	const couldView = canView(world, userId, channel);
	thread.members.set(userId, world.now());
	const isPrivate = channel.type === ChannelType.PrivateThread;
	if (isPrivate && !couldView) {
		world.events.publish({
			type: 'THREAD_CREATE',
			scope: { kind: 'users', userIds: [userId], channelId: channel.id },
			render: (viewerId) => ({ ...renderChannel(world, channel, viewerId) }),
		});
	}
	announceMembers(world, channel, [userId], []);
}

export function removeThreadMember(world: World, channel: Channel, userId: string): void {
	if (!threadOf(channel).members.has(userId)) return;
	// Told first: afterwards the one removed may no longer see the thread.
	announceMembers(world, channel, [], [userId]);
	threadOf(channel).members.delete(userId);
}

function announceMembers(world: World, channel: Channel, added: string[], removed: string[]): void {
	world.events.publish({
		type: 'THREAD_MEMBERS_UPDATE',
		scope: { kind: 'channel', channelId: channel.id },
		render: () => ({
			id: channel.id,
			guild_id: world.guildId,
			member_count: threadOf(channel).members.size - removed.length,
			...(added.length > 0
				? {
						added_members: added.flatMap((id) => {
							const account = world.accounts.get(id);
							if (account === undefined) return [];
							return { ...renderThreadMember(channel, id), member: renderMemberWithUser(account), presence: null };
						}),
					}
				: {}),
			...(removed.length > 0 ? { removed_member_ids: removed } : {}),
		}),
	});
}

export function countThreadMessage(channel: Channel): void {
	const thread = threadOf(channel);
	thread.messageCount += 1;
	thread.totalMessageSent += 1;
}

function setArchived(world: World, channel: Channel, archived: boolean): void {
	const thread = threadOf(channel);
	if (thread.archived === archived) return;
	thread.archived = archived;
	thread.archiveChangedAtMs = world.now();
	announceThread(world, channel, 'THREAD_UPDATE');
}

/** Speaking in an archived thread opens it again, unless it is locked and the speaker may not manage threads. */
export function unarchive(world: World, channel: Channel, speakerId: string): void {
	const thread = threadOf(channel);
	const manages = (channelPermissions(world, speakerId, channel) & PermissionFlagsBits.ManageThreads) !== 0n;
	if (thread.locked && !manages) throw refusal('threadLocked');
	if (thread.archived) setArchived(world, channel, false);
}

/** Archives every thread that has been quiet for longer than its auto-archive duration. */
export function archiveQuietThreads(world: World): void {
	for (const channel of world.channels.values()) {
		const thread = channel.thread;
		if (thread === undefined || thread.archived) continue;
		const last = world.messages.get(channel.messageIds.at(-1) ?? '')?.createdAtMs ?? thread.createdAtMs;
		const quietSinceMs = Math.max(last, thread.archiveChangedAtMs);
		if (world.now() - quietSinceMs > thread.autoArchiveMinutes * 60_000) setArchived(world, channel, true);
	}
}
