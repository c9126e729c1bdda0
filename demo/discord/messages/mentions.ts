import { AllowedMentionsTypes, type APIAllowedMentions, PermissionFlagsBits } from 'discord-api-types/v10';
import { invalidForm } from '../discord-error.ts';
import type { Channel } from '../state/model.ts';
import { channelPermissions } from '../state/permissions.ts';
import type { World } from '../state/world.ts';

export interface ResolvedMentions {
	userIds: string[];
	roleIds: string[];
	everyone: boolean;
}

export interface MentionSource {
	authorId: string;
	channel: Channel;
	text: string;
	/** Author of the message replied to. */
	repliedUserId?: string;
	allowed?: APIAllowedMentions;
}

/** Throws 50035 on combinations that Discord refuses. */
export function checkAllowedMentions(allowed: APIAllowedMentions | undefined): void {
	if (allowed === undefined || allowed === null) return;
	const parse = allowed.parse ?? [];
	for (const [list, type] of [
		['users', AllowedMentionsTypes.User],
		['roles', AllowedMentionsTypes.Role],
	] as const) {
		const ids = allowed[list];
		if (ids !== undefined && ids.length > 100) {
			throw invalidForm(`allowed_mentions.${list}`, 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.');
		}
		if (ids !== undefined && ids.length > 0 && parse.includes(type)) {
			throw invalidForm(
				'allowed_mentions',
				'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
				`parse:["${list}"] and ${list}: [ids...] are mutually exclusive.`,
			);
		}
	}
}

/** Who is named by a text, after allowed_mentions: those in the `mentions` array, i.e. those who are pinged. */
export function resolveMentions(world: World, source: MentionSource): ResolvedMentions {
	const { allowed, text } = source;
	const may = (type: AllowedMentionsTypes, ids: readonly string[] | undefined, id: string): boolean =>
		allowed === undefined || allowed.parse?.includes(type) === true || ids?.includes(id) === true;
	const userIds = new Set<string>();
	for (const [, id] of text.matchAll(/<@!?(\d{15,20})>/g)) {
		if (id !== undefined && world.accounts.has(id) && may(AllowedMentionsTypes.User, allowed?.users, id))
			userIds.add(id);
	}
	const canPingAll =
		(channelPermissions(world, source.authorId, source.channel) & PermissionFlagsBits.MentionEveryone) !== 0n;
	const roleIds = new Set<string>();
	for (const [, id] of text.matchAll(/<@&(\d{15,20})>/g)) {
		const role = world.roles.get(id ?? '');
		if (role === undefined || !(role.mentionable || canPingAll)) continue;
		if (may(AllowedMentionsTypes.Role, allowed?.roles, role.id)) roleIds.add(role.id);
	}
	const repliedUserId = source.repliedUserId;
	if (repliedUserId !== undefined && (allowed === undefined || allowed.replied_user === true)) {
		userIds.add(repliedUserId);
	}
	const mayPingAll = allowed === undefined || allowed.parse?.includes(AllowedMentionsTypes.Everyone) === true;
	return {
		userIds: [...userIds],
		roleIds: [...roleIds],
		everyone: canPingAll && mayPingAll && /@(everyone|here)\b/.test(text),
	};
}

/** Ids of everybody whose client would make a sound. */
export function pingedUserIds(world: World, mentions: ResolvedMentions): string[] {
	const ids = new Set(mentions.userIds);
	for (const account of world.accounts.values()) {
		if (mentions.everyone || account.roleIds.some((id) => mentions.roleIds.includes(id))) ids.add(account.id);
	}
	return [...ids];
}
