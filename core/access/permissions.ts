import type { DiscordSettings } from '../../config/discord.ts';

/** Everything that a person can be allowed or refused, and who may: `anyone` in the room, or admins. */
const rights = {
	'room.view': 'anyone',
	'overseer.vote': 'anyone',
	'overseer.control': 'admin',
	'admin.mode': 'admin',
	'admin.lights_lock': 'admin',
	'admin.pause': 'admin',
	'admin.reload': 'admin',
	'panel.view': 'admin',
	'prompt.view': 'admin',
	'memory.view': 'admin',
	'memory.clear': 'admin',
	'audit.view': 'admin',
	'usage.view': 'admin',
	'intake.use': 'anyone',
	'intake.manage': 'admin',
	'intake.audit': 'admin',
} as const;

export type Action = keyof typeof rights;

/** A member of the guild, as Discord vouches for them in the interaction itself. */
export interface Person {
	/** Discord user id. */
	readonly id: string;
	readonly roleIds: readonly string[];
	readonly isGuildOwner?: boolean;
	/** Guild permissions as Discord's bit field. */
	readonly permissionBits?: bigint;
}

export interface Verdict {
	readonly allowed: boolean;
	/** The rule that decided, for the audit and for the answer to the person. */
	readonly why:
		| 'anyone'
		| 'admin_user'
		| 'admin_role'
		| 'guild_owner'
		| 'administrator'
		| 'manage_guild'
		| 'not_admin'
		| 'unknown_action'
		| 'unknown_person';
}

const ADMINISTRATOR = 1n << 3n;
const MANAGE_GUILD = 1n << 5n;

/**
 * Whether a person may do something. Admins are the configured people and roles, the owner of the guild and its
 * administrators; while no admin is configured also whoever may manage the guild. Whatever is not known is refused.
 */
export function canDo(action: Action, person: Person, settings: DiscordSettings): Verdict {
	if (!/^\d{17,20}$/.test(person.id)) return { allowed: false, why: 'unknown_person' };
	const level = Object.hasOwn(rights, action) ? rights[action] : undefined;
	if (level === undefined) return { allowed: false, why: 'unknown_action' };
	if (level === 'anyone') return { allowed: true, why: 'anyone' };
	const why = adminBy(person, settings);
	return why === undefined ? { allowed: false, why: 'not_admin' } : { allowed: true, why };
}

function adminBy(person: Person, { adminUserIds, adminRoleIds }: DiscordSettings): Verdict['why'] | undefined {
	const bits = person.permissionBits ?? 0n;
	if (adminUserIds.includes(person.id)) return 'admin_user';
	if (person.roleIds.some((id) => adminRoleIds.includes(id))) return 'admin_role';
	if (person.isGuildOwner === true) return 'guild_owner';
	if ((bits & ADMINISTRATOR) !== 0n) return 'administrator';
	const nobodyNamed = adminUserIds.length === 0 && adminRoleIds.length === 0;
	return nobodyNamed && (bits & MANAGE_GUILD) !== 0n ? 'manage_guild' : undefined;
}
