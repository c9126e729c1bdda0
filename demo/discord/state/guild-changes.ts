import type { Account, Channel, Role } from './model.ts';
import { renderChannel, renderGuild, renderMemberWithUser, renderRole, renderUser } from './render.ts';
import type { World } from './world.ts';

export function announceMember(world: World, account: Account): void {
	world.events.publish({
		type: 'GUILD_MEMBER_UPDATE',
		scope: { kind: 'guild' },
		render: () => ({ guild_id: world.guildId, ...renderMemberWithUser(account) }),
	});
}

export function announceRole(world: World, role: Role, type: 'GUILD_ROLE_CREATE' | 'GUILD_ROLE_UPDATE'): void {
	world.events.publish({
		type,
		scope: { kind: 'guild' },
		render: () => ({ guild_id: world.guildId, role: renderRole(role) }),
	});
}

/** Bots hear of every channel, hidden ones included; what happens inside is another matter. */
export function announceChannel(world: World, channel: Channel, type: 'CHANNEL_CREATE' | 'CHANNEL_UPDATE'): void {
	world.events.publish({
		type,
		scope: { kind: 'guild' },
		render: (viewerId) => renderChannel(world, channel, viewerId),
	});
}

/** Removes a channel with its threads and messages, or one thread. */
export function deleteChannel(world: World, channel: Channel): void {
	for (const other of [...world.channels.values()]) {
		if (other.thread !== undefined && other.parentId === channel.id) deleteChannel(world, other);
	}
	const isThread = channel.thread !== undefined;
	const payload = isThread
		? { id: channel.id, guild_id: world.guildId, parent_id: channel.parentId, type: channel.type }
		: renderChannel(world, channel);
	world.events.publish({
		type: isThread ? 'THREAD_DELETE' : 'CHANNEL_DELETE',
		scope: isThread ? { kind: 'channel', channelId: channel.id } : { kind: 'guild' },
		render: () => payload,
	});
	world.channels.delete(channel.id);
	for (const id of channel.messageIds) world.messages.delete(id);
	const starter = world.messages.get(channel.id);
	if (starter !== undefined) starter.hasThread = false;
}

/** Takes a member out of the guild, or puts one back in. The bot itself gets GUILD_DELETE or GUILD_CREATE. */
export function setMembership(world: World, account: Account, isMember: boolean): void {
	if (account.isMember === isMember) return;
	if (isMember) account.isMember = true;
	world.events.publish({
		type: isMember ? 'GUILD_MEMBER_ADD' : 'GUILD_MEMBER_REMOVE',
		scope: { kind: 'guild' },
		render: () =>
			isMember
				? { guild_id: world.guildId, ...renderMemberWithUser(account) }
				: { guild_id: world.guildId, user: renderUser(account) },
	});
	account.isMember = isMember;
	if (!account.isBot) return;
	world.events.publish({
		type: isMember ? 'GUILD_CREATE' : 'GUILD_DELETE',
		scope: { kind: 'users', userIds: [account.id] },
		render: () => (isMember ? renderGuild(world, account.id, false) : { id: world.guildId }),
	});
}
