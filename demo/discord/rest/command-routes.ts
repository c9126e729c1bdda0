import { Hono } from 'hono';
import type { LooseCommand } from '../commands/command-rules.ts';
import { refusal } from '../discord-error.ts';
import { caller, jsonOf, noContent, param, type RestContext, type RestEnv, type RestServices } from './rest-context.ts';

export function commandRoutes({ world, commands }: RestServices): Hono<RestEnv> {
	const app = new Hono<RestEnv>();

	const scopeOf = (c: RestContext): { applicationId: string; guildId?: string } => {
		const applicationId = param(c, 'application');
		if (applicationId !== caller(c).id) throw refusal('missingAccess');
		const guildId = c.req.param('guild');
		if (guildId !== undefined && guildId !== world.guildId) throw refusal('missingAccess');
		return { applicationId, guildId };
	};

	for (const base of ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands']) {
		app.get(base, (c) => {
			const { applicationId, guildId } = scopeOf(c);
			return c.json(commands.list(applicationId, guildId));
		});
		app.put(base, (c) => {
			const { applicationId, guildId } = scopeOf(c);
			return c.json(commands.replace(applicationId, jsonOf<LooseCommand[]>(c), guildId));
		});
		app.post(base, (c) => {
			const { applicationId, guildId } = scopeOf(c);
			const { command, created } = commands.upsert(applicationId, jsonOf<LooseCommand>(c), guildId);
			return c.json(command, created ? 201 : 200);
		});
		app.get(`${base}/:command`, (c) => {
			const { applicationId, guildId } = scopeOf(c);
			return c.json(commands.find(applicationId, param(c, 'command'), guildId));
		});
		app.patch(`${base}/:command`, (c) => {
			const { applicationId, guildId } = scopeOf(c);
			return c.json(commands.update(applicationId, param(c, 'command'), jsonOf<LooseCommand>(c), guildId));
		});
		app.delete(`${base}/:command`, (c) => {
			const { applicationId, guildId } = scopeOf(c);
			commands.remove(applicationId, param(c, 'command'), guildId);
			return noContent(c);
		});
	}
	return app;
}
