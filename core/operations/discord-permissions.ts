/** A role as Discord's API shows it. */
export interface RoleFacts {
	readonly id: string;
	readonly name: string;
	readonly position: number;
	/** Decimal bit field. */
	readonly permissions: string;
	/** Made by Discord for a bot or an integration. */
	readonly managed?: boolean;
}

/** A channel's exception for a role (0) or a member (1). */
export interface Overwrite {
	readonly id: string;
	readonly type: number;
	readonly allow: string;
	readonly deny: string;
}

export interface MemberFacts {
	readonly id: string;
	readonly roleIds: readonly string[];
}

const ADMINISTRATOR = 1n << 3n;
const VIEW_CHANNEL = 1n << 10n;
const ALL = (1n << 63n) - 1n;

/** What a member may do in the whole guild: @everyone (whose id is the guild's) and all roles together. */
export function guildPermissions(guildId: string, roles: readonly RoleFacts[], member: MemberFacts): bigint {
	const held = roles.filter(({ id }) => id === guildId || member.roleIds.includes(id));
	const bits = held.reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
	return (bits & ADMINISTRATOR) !== 0n ? ALL : bits;
}

/** What a member may do in a channel: exceptions for @everyone, then for all roles at once, then for the member. */
export function channelPermissions(
	guildId: string,
	inGuild: bigint,
	overwrites: readonly Overwrite[],
	member: MemberFacts,
): bigint {
	if ((inGuild & ADMINISTRATOR) !== 0n) return ALL;
	const layers = [
		overwrites.filter(({ id }) => id === guildId),
		overwrites.filter(({ id, type }) => type === 0 && id !== guildId && member.roleIds.includes(id)),
		overwrites.filter(({ id, type }) => type === 1 && id === member.id),
	];
	const bits = layers.reduce((left, layer) => {
		const allow = layer.reduce((sum, one) => sum | BigInt(one.allow), 0n);
		const deny = layer.reduce((sum, one) => sum | BigInt(one.deny), 0n);
		return (left & ~deny) | allow;
	}, inGuild);
	// Whoever does not see a channel can do nothing in it.
	return (bits & VIEW_CHANNEL) === 0n ? 0n : bits;
}
