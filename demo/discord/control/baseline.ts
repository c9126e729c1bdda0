import { announceChannel, announceMember, announceRole, setMembership } from '../state/guild-changes.ts';
import type { World } from '../state/world.ts';

/** Remembers roles, members and channel permissions; the function returned puts them back and tells everybody. */
export function rememberBaseline(world: World): () => void {
	const roles = [...world.roles.values()].map((one) => ({ id: one.id, permissions: one.permissions }));
	const accounts = [...world.accounts.values()].map(({ id, roleIds, nick, isMember }) => ({
		id,
		roleIds: [...roleIds],
		nick,
		isMember,
	}));
	const channels = [...world.channels.values()].map((one) => ({ id: one.id, overwrites: [...one.overwrites] }));
	return () => {
		for (const { id, permissions } of roles) {
			const role = world.roles.get(id);
			if (role === undefined || role.permissions === permissions) continue;
			role.permissions = permissions;
			announceRole(world, role, 'GUILD_ROLE_UPDATE');
		}
		for (const { id, roleIds, nick, isMember } of accounts) {
			const account = world.accounts.get(id);
			if (account === undefined) continue;
			setMembership(world, account, isMember);
			const isSame = account.nick === nick && account.roleIds.join() === roleIds.join();
			Object.assign(account, { roleIds: [...roleIds], nick });
			if (!isSame) announceMember(world, account);
		}
		for (const { id, overwrites } of channels) {
			const channel = world.channels.get(id);
			if (channel === undefined || JSON.stringify(channel.overwrites) === JSON.stringify(overwrites)) continue;
			channel.overwrites = [...overwrites];
			announceChannel(world, channel, 'CHANNEL_UPDATE');
		}
	};
}
