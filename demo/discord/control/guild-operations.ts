import { OverwriteType } from 'discord-api-types/v10';
import { z } from 'zod';
import { announceChannel, announceMember, announceRole, deleteChannel, setMembership } from '../state/guild-changes.ts';
import { permissionBits } from '../state/permission-bits.ts';
import { addChannel, findNamed, type World } from '../state/world.ts';
import { addThreadMember, announceThread, removeThreadMember } from '../threads/thread-state.ts';
import { ControlError } from './control-error.ts';
import { accountOf, channelByName } from './lookups.ts';
import { flag, operation } from './operation.ts';
import { type SeenChannel, seenChannel } from './seen.ts';

const names = z.array(z.string());

function bits(permissions: readonly string[]): bigint {
	try {
		return permissionBits(permissions);
	} catch (error) {
		throw new ControlError('invalid', error instanceof Error ? error.message : 'unknown permission');
	}
}

function roleOf(world: World, name: string) {
	const role = findNamed(world.roles.values(), name);
	if (role === undefined) throw new ControlError('unknown', `no role is called "${name}"`);
	return role;
}

/** Changes an administrator would make by hand; they need no permission here and send the usual events. */
export const guildOperations = {
	/** Gives a member exactly these roles. */
	memberRoles: operation(z.object({ who: z.string(), roles: names }), ({ world }, input): { roles: string[] } => {
		const account = accountOf(world, input.who);
		account.roleIds = input.roles.map((name) => roleOf(world, name).id);
		announceMember(world, account);
		return { roles: input.roles };
	}),
	/** Sets a role's permissions exactly; a bot's own role has the bot's name, and everybody's is `@everyone`. */
	rolePermissions: operation(
		z.object({ role: z.string(), permissions: names }),
		({ world }, input): { role: string; permissions: string[] } => {
			const role = roleOf(world, input.role);
			role.permissions = bits(input.permissions);
			announceRole(world, role, 'GUILD_ROLE_UPDATE');
			return { role: role.name, permissions: input.permissions };
		},
	),
	/** Sets what one role, person or bot may do in one channel; empty lists remove the exception. */
	channelPermissions: operation(
		z.object({ channel: z.string(), target: z.string(), allow: names.default([]), deny: names.default([]) }),
		({ world }, input): SeenChannel => {
			const channel = channelByName(world, input.channel);
			const role = findNamed(world.roles.values(), input.target, (one) => {
				return findNamed(world.applications.values(), one.name) === undefined;
			});
			const target = role ?? accountOf(world, input.target);
			channel.overwrites = channel.overwrites.filter((one) => one.id !== target.id);
			if (input.allow.length + input.deny.length > 0) {
				channel.overwrites.push({
					id: target.id,
					type: role === undefined ? OverwriteType.Member : OverwriteType.Role,
					allow: bits(input.allow).toString(),
					deny: bits(input.deny).toString(),
				});
			}
			announceChannel(world, channel, 'CHANNEL_UPDATE');
			return seenChannel(world, channel);
		},
	),
	/** Takes a person or bot out of the guild or puts them back. */
	membership: operation(z.object({ who: z.string(), member: flag }), ({ world }, input): { member: boolean } => {
		setMembership(world, accountOf(world, input.who), input.member);
		return { member: input.member };
	}),
	nickname: operation(
		z.object({ who: z.string(), nick: z.string().nullable() }),
		({ world }, input): { nick: string | null } => {
			const account = accountOf(world, input.who);
			account.nick = input.nick;
			announceMember(world, account);
			return { nick: input.nick };
		},
	),
	/** Archives, opens, locks or renames a thread as a moderator would. */
	threadState: operation(
		z.object({
			thread: z.string(),
			archived: flag.optional(),
			locked: flag.optional(),
			name: z.string().optional(),
		}),
		({ world }, input): SeenChannel => {
			const channel = channelByName(world, input.thread);
			if (channel.thread === undefined) throw new ControlError('invalid', `"${input.thread}" is no thread`);
			if (input.locked !== undefined) channel.thread.locked = input.locked;
			if (input.name !== undefined) channel.name = input.name;
			if (input.archived !== undefined) {
				channel.thread.archived = input.archived;
				channel.thread.archiveChangedAtMs = world.now();
			}
			announceThread(world, channel, 'THREAD_UPDATE');
			return seenChannel(world, channel);
		},
	),
	threadMember: operation(
		z.object({ thread: z.string(), who: z.string(), member: flag.default(true) }),
		({ world }, input): SeenChannel => {
			const channel = channelByName(world, input.thread);
			const account = accountOf(world, input.who);
			if (channel.thread === undefined) throw new ControlError('invalid', `"${input.thread}" is no thread`);
			if (input.member) addThreadMember(world, channel, account.id);
			else removeThreadMember(world, channel, account.id);
			return seenChannel(world, channel);
		},
	),
	createChannel: operation(
		z.object({
			name: z.string(),
			topic: z.string().optional(),
			category: z.string().optional(),
			onlyRoles: names.optional(),
		}),
		({ world }, input): SeenChannel => {
			for (const name of input.onlyRoles ?? []) roleOf(world, name);
			const channel = addChannel(world, input);
			announceChannel(world, channel, 'CHANNEL_CREATE');
			return seenChannel(world, channel);
		},
	),
	/** Deletes a channel or thread with everything in it. */
	deleteChannel: operation(z.object({ channel: z.string() }), ({ world }, input): { deleted: string } => {
		const channel = channelByName(world, input.channel);
		deleteChannel(world, channel);
		return { deleted: channel.id };
	}),
};
