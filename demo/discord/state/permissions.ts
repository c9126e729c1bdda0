import { ChannelType, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { refusal } from '../discord-error.ts';
import type { Channel } from './model.ts';
import { type PermissionName, permissionBits } from './permission-bits.ts';
import type { World } from './world.ts';

const everything = Object.values(PermissionFlagsBits).reduce((sum, bit) => sum | bit, 0n);
/** Without SEND_MESSAGES these mean nothing in a text channel. */
const needSpeech =
	PermissionFlagsBits.MentionEveryone |
	PermissionFlagsBits.SendTTSMessages |
	PermissionFlagsBits.AttachFiles |
	PermissionFlagsBits.EmbedLinks;

export function permissionNames(bits: bigint): PermissionName[] {
	return (Object.keys(PermissionFlagsBits) as PermissionName[]).filter(
		(name) => (bits & PermissionFlagsBits[name]) !== 0n,
	);
}

export function isThread(channel: Channel): boolean {
	return channel.thread !== undefined;
}

export function guildPermissions(world: World, userId: string): bigint {
	const account = world.accounts.get(userId);
	if (account === undefined || !account.isMember) return 0n;
	if (userId === world.ownerId) return everything;
	let bits = world.roles.get(world.guildId)?.permissions ?? 0n;
	for (const roleId of account.roleIds) bits |= world.roles.get(roleId)?.permissions ?? 0n;
	return (bits & PermissionFlagsBits.Administrator) !== 0n ? everything : bits;
}

/** What a user may do in a channel; a thread takes its parent's permissions. Zero when the channel is hidden. */
export function channelPermissions(world: World, userId: string, channel: Channel): bigint {
	if (channel.type === ChannelType.DM) {
		if (channel.recipientIds?.includes(userId) !== true) return 0n;
		return permissionBits([
			'ViewChannel',
			'SendMessages',
			'EmbedLinks',
			'AttachFiles',
			'ReadMessageHistory',
			'AddReactions',
			'UseExternalEmojis',
			'PinMessages',
		]);
	}
	const base = guildPermissions(world, userId);
	if ((base & PermissionFlagsBits.Administrator) !== 0n) return base;
	const ruling = isThread(channel) ? world.channels.get(channel.parentId ?? '') : channel;
	const account = world.accounts.get(userId);
	if (ruling === undefined || account === undefined || !account.isMember) return 0n;
	let bits = base;
	const apply = (allow: bigint, deny: bigint): void => {
		bits = (bits & ~deny) | allow;
	};
	const ofEveryone = ruling.overwrites.find((one) => one.id === world.guildId);
	if (ofEveryone !== undefined) apply(BigInt(ofEveryone.allow), BigInt(ofEveryone.deny));
	let allow = 0n;
	let deny = 0n;
	for (const one of ruling.overwrites) {
		if (one.type !== OverwriteType.Role || !account.roleIds.includes(one.id)) continue;
		allow |= BigInt(one.allow);
		deny |= BigInt(one.deny);
	}
	apply(allow, deny);
	const own = ruling.overwrites.find((one) => one.type === OverwriteType.Member && one.id === userId);
	if (own !== undefined) apply(BigInt(own.allow), BigInt(own.deny));
	if ((bits & PermissionFlagsBits.ViewChannel) === 0n) return 0n;
	const speech = isThread(channel) ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
	if ((bits & speech) === 0n) bits &= ~needSpeech;
	return bits;
}

/** Private threads are seen by their members and by those who manage threads. */
export function canView(world: World, userId: string, channel: Channel): boolean {
	const bits = channelPermissions(world, userId, channel);
	if ((bits & PermissionFlagsBits.ViewChannel) === 0n) return false;
	if (channel.type !== ChannelType.PrivateThread) return true;
	return channel.thread?.members.has(userId) === true || (bits & PermissionFlagsBits.ManageThreads) !== 0n;
}

export function hasPermission(world: World, userId: string, channel: Channel, ...names: PermissionName[]): boolean {
	const bits = permissionBits(names);
	return canView(world, userId, channel) && (channelPermissions(world, userId, channel) & bits) === bits;
}

/** Throws 50001 when the channel is hidden and 50013 when a named permission is missing. */
export function demand(world: World, userId: string, channel: Channel, ...names: PermissionName[]): void {
	if (!canView(world, userId, channel)) throw refusal('missingAccess');
	if (!hasPermission(world, userId, channel, ...names)) throw refusal('missingPermissions');
}

/** Throws 50013 when the user lacks a permission of the whole guild. */
export function demandInGuild(world: World, userId: string, ...names: PermissionName[]): void {
	const bits = permissionBits(names);
	if ((guildPermissions(world, userId) & bits) !== bits) throw refusal('missingPermissions');
}
