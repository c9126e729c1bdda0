import { ChannelType } from 'discord-api-types/v10';
import { Hono } from 'hono';
import { invalidForm, refusal } from '../discord-error.ts';
import { announceChannel, announceMember, announceRole, setMembership } from '../state/guild-changes.ts';
import type { Account } from '../state/model.ts';
import { demandInGuild } from '../state/permissions.ts';
import { renderChannel, renderGuildObject, renderMemberWithUser, renderRole } from '../state/render.ts';
import { blankChannel } from '../state/world.ts';
import { caller, jsonOf, noContent, param, type RestContext, type RestEnv, type RestServices } from './rest-context.ts';

export function guildRoutes({ world }: RestServices): Hono<RestEnv> {
	const app = new Hono<RestEnv>();

	app.use('/guilds/:guild/*', async (c, next) => {
		if (param(c, 'guild') !== world.guildId) throw refusal('unknownGuild');
		if (world.accounts.get(caller(c).id)?.isMember !== true) throw refusal('missingAccess');
		await next();
	});
	const memberOf = (c: RestContext): Account => {
		const account = world.accounts.get(param(c, 'user') === '@me' ? caller(c).id : param(c, 'user'));
		if (account === undefined) throw refusal('unknownUser');
		if (!account.isMember) throw refusal('unknownMember');
		return account;
	};
	const members = (): Account[] => [...world.accounts.values()].filter((one) => one.isMember);

	app.get('/guilds/:guild', (c) => c.json({ ...renderGuildObject(world), approximate_member_count: members().length }));
	app.get('/guilds/:guild/channels', (c) => {
		const own = [...world.channels.values()].filter((one) => one.type !== ChannelType.DM && one.thread === undefined);
		return c.json(own.map((one) => renderChannel(world, one, caller(c).id)));
	});
	app.post('/guilds/:guild/channels', (c) => {
		demandInGuild(world, caller(c).id, 'ManageChannels');
		const wish = jsonOf<{ name?: string; type?: number; topic?: string; parent_id?: string }>(c);
		if (typeof wish.name !== 'string' || wish.name.length < 1 || wish.name.length > 100) {
			throw invalidForm('name', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
		}
		const channel = blankChannel(world, {
			name: wish.name.toLowerCase().replaceAll(' ', '-'),
			type: wish.type ?? ChannelType.GuildText,
			topic: wish.topic ?? null,
			parentId: wish.parent_id ?? null,
		});
		world.channels.set(channel.id, channel);
		announceChannel(world, channel, 'CHANNEL_CREATE');
		return c.json(renderChannel(world, channel, caller(c).id), 201);
	});

	app.get('/guilds/:guild/roles', (c) => c.json([...world.roles.values()].map(renderRole)));
	app.post('/guilds/:guild/roles', (c) => {
		demandInGuild(world, caller(c).id, 'ManageRoles');
		const wish = jsonOf<{ name?: string; permissions?: string; color?: number; mentionable?: boolean }>(c);
		const role = {
			id: world.nextId(),
			name: wish.name ?? 'new role',
			color: wish.color ?? 0,
			permissions: BigInt(wish.permissions ?? world.roles.get(world.guildId)?.permissions ?? 0n),
			position: world.roles.size,
			mentionable: wish.mentionable ?? false,
			hoist: false,
		};
		world.roles.set(role.id, role);
		announceRole(world, role, 'GUILD_ROLE_CREATE');
		return c.json(renderRole(role));
	});

	app.get('/guilds/:guild/members', (c) => {
		const limit = Number(c.req.query('limit') ?? 1);
		return c.json(members().slice(0, limit).map(renderMemberWithUser));
	});
	app.get('/guilds/:guild/members/search', (c) => {
		const query = (c.req.query('query') ?? '').toLowerCase();
		const found = members().filter((one) => one.name.startsWith(query) || (one.nick ?? '').startsWith(query));
		return c.json(found.slice(0, Number(c.req.query('limit') ?? 1)).map(renderMemberWithUser));
	});
	app.get('/guilds/:guild/members/:user', (c) => c.json(renderMemberWithUser(memberOf(c))));
	app.patch('/guilds/:guild/members/:user', (c) => {
		const account = memberOf(c);
		const wish = jsonOf<{ nick?: string | null; roles?: string[] }>(c);
		if (wish.nick !== undefined) {
			demandInGuild(world, caller(c).id, account.id === caller(c).id ? 'ChangeNickname' : 'ManageNicknames');
			account.nick = wish.nick;
		}
		if (wish.roles !== undefined) {
			demandInGuild(world, caller(c).id, 'ManageRoles');
			if (wish.roles.some((id) => !world.roles.has(id))) throw refusal('unknownRole');
			account.roleIds = wish.roles;
		}
		announceMember(world, account);
		return c.json(renderMemberWithUser(account));
	});
	const setRole = (has: boolean) => (c: RestContext) => {
		const account = memberOf(c);
		const roleId = param(c, 'role');
		demandInGuild(world, caller(c).id, 'ManageRoles');
		if (!world.roles.has(roleId)) throw refusal('unknownRole');
		account.roleIds = account.roleIds.filter((id) => id !== roleId);
		if (has) account.roleIds.push(roleId);
		announceMember(world, account);
		return noContent(c);
	};
	app.put('/guilds/:guild/members/:user/roles/:role', setRole(true));
	app.delete('/guilds/:guild/members/:user/roles/:role', setRole(false));
	app.delete('/guilds/:guild/members/:user', (c) => {
		demandInGuild(world, caller(c).id, 'KickMembers');
		setMembership(world, memberOf(c), false);
		return noContent(c);
	});
	app.put('/guilds/:guild/bans/:user', (c) => {
		demandInGuild(world, caller(c).id, 'BanMembers');
		setMembership(world, memberOf(c), false);
		return noContent(c);
	});
	return app;
}
