import { Hono } from 'hono';
import { refusal } from '../discord-error.ts';
import { directChannel } from '../state/direct-channel.ts';
import { guildPermissions } from '../state/permissions.ts';
import { renderChannel, renderUser } from '../state/render.ts';
import { caller, jsonOf, param, type RestContext, type RestEnv, type RestServices } from './rest-context.ts';

/** Users, the application itself, gateway addresses and direct messages. */
export function userRoutes({ world, gateway }: RestServices): Hono<RestEnv> {
	const app = new Hono<RestEnv>();
	const gatewayUrl = (): string => `${world.origin.replace(/^http/, 'ws')}/gateway`;

	app.get('/gateway', (c) => c.json({ url: gatewayUrl() }));
	app.get('/gateway/bot', (c) => {
		caller(c);
		const used = gateway.sessions().length;
		return c.json({
			url: gatewayUrl(),
			shards: 1,
			session_start_limit: {
				total: 1000,
				remaining: Math.max(1, 1000 - used),
				reset_after: 86_400_000,
				max_concurrency: 1,
			},
		});
	});

	const application = (c: RestContext) => {
		const one = caller(c);
		const account = world.accounts.get(one.id);
		const has = (bit: number): boolean => (one.privilegedIntents & bit) !== 0;
		// The "limited" flags are those of applications in fewer than a hundred guilds.
		const flags = (has(1 << 8) ? 1 << 13 : 0) | (has(1 << 1) ? 1 << 15 : 0) | (has(1 << 15) ? 1 << 19 : 0);
		return c.json({
			id: one.id,
			name: one.name,
			icon: null,
			description: '',
			bot_public: false,
			bot_require_code_grant: false,
			verify_key: '0'.repeat(64),
			team: null,
			owner: renderUser(world.accounts.get(world.ownerId) ?? account!),
			bot: account === undefined ? undefined : renderUser(account),
			flags,
			approximate_guild_count: account?.isMember === true ? 1 : 0,
		});
	};
	app.get('/applications/@me', application);
	app.get('/oauth2/applications/@me', application);

	app.get('/users/@me', (c) => c.json(renderUser(world.accounts.get(caller(c).id)!)));
	app.get('/users/@me/guilds', (c) => {
		const account = world.accounts.get(caller(c).id);
		if (account?.isMember !== true) return c.json([]);
		return c.json([
			{
				id: world.guildId,
				name: world.guildName,
				icon: null,
				banner: null,
				owner: false,
				permissions: guildPermissions(world, account.id).toString(),
				features: [],
			},
		]);
	});
	app.post('/users/@me/channels', (c) => {
		const recipient = world.accounts.get(jsonOf<{ recipient_id?: string }>(c).recipient_id ?? '');
		if (recipient === undefined) throw refusal('unknownUser');
		if (recipient.isBot) throw refusal('cannotDirectMessage');
		return c.json(renderChannel(world, directChannel(world, caller(c).id, recipient.id), caller(c).id));
	});
	app.get('/users/:user', (c) => {
		const account = world.accounts.get(param(c, 'user'));
		if (account === undefined) throw refusal('unknownUser');
		return c.json(renderUser(account));
	});
	return app;
}
