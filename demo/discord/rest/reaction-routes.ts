import { Hono } from 'hono';
import { findMessage } from '../messages/poster.ts';
import { addReaction, clearReactions, parseEmoji, removeReaction } from '../messages/reactions.ts';
import { demand } from '../state/permissions.ts';
import { renderUser } from '../state/render.ts';
import {
	caller,
	channelOf,
	noContent,
	param,
	type RestContext,
	type RestEnv,
	type RestServices,
} from './rest-context.ts';

export function reactionRoutes({ world }: RestServices): Hono<RestEnv> {
	const app = new Hono<RestEnv>();
	const base = '/channels/:channel/messages/:message/reactions';
	const targetOf = (c: RestContext) => {
		const channel = channelOf(c, world);
		return { channel, message: findMessage(world, channel, param(c, 'message'), '') };
	};

	app.put(`${base}/:emoji/@me`, (c) => {
		const { channel, message } = targetOf(c);
		addReaction(world, channel, message, caller(c).id, param(c, 'emoji'));
		return noContent(c);
	});
	app.delete(`${base}/:emoji/@me`, (c) => {
		const { channel, message } = targetOf(c);
		removeReaction(world, channel, message, caller(c).id, param(c, 'emoji'));
		return noContent(c);
	});
	app.delete(`${base}/:emoji/:user`, (c) => {
		const { channel, message } = targetOf(c);
		if (param(c, 'user') !== caller(c).id) demand(world, caller(c).id, channel, 'ManageMessages');
		removeReaction(world, channel, message, param(c, 'user'), param(c, 'emoji'));
		return noContent(c);
	});
	app.get(`${base}/:emoji`, (c) => {
		const { message } = targetOf(c);
		const users = message.reactions.get(parseEmoji(param(c, 'emoji')).name)?.userIds ?? new Set<string>();
		const limit = Math.min(Number(c.req.query('limit') ?? 25), 100);
		const after = BigInt(c.req.query('after') ?? '0');
		const found = [...users].filter((id) => BigInt(id) > after).slice(0, limit);
		return c.json(found.flatMap((id) => world.accounts.get(id) ?? []).map(renderUser));
	});
	app.delete(base, (c) => {
		const { channel, message } = targetOf(c);
		demand(world, caller(c).id, channel, 'ManageMessages');
		clearReactions(world, message);
		return noContent(c);
	});
	app.delete(`${base}/:emoji`, (c) => {
		const { channel, message } = targetOf(c);
		demand(world, caller(c).id, channel, 'ManageMessages');
		clearReactions(world, message, param(c, 'emoji'));
		return noContent(c);
	});
	return app;
}
