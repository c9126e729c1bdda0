import { ChannelType } from 'discord-api-types/v10';
import { Hono } from 'hono';
import { refusal } from '../discord-error.ts';
import { findMessage } from '../messages/poster.ts';
import type { Channel } from '../state/model.ts';
import { canView, demand, hasPermission } from '../state/permissions.ts';
import { renderChannel, renderMemberWithUser, renderThreadMember } from '../state/render.ts';
import { makeThread, type ThreadWish } from '../threads/thread-maker.ts';
import { addThreadMember, removeThreadMember, threadOf } from '../threads/thread-state.ts';
import {
	caller,
	channelOf,
	jsonOf,
	noContent,
	param,
	type RestContext,
	type RestEnv,
	type RestServices,
} from './rest-context.ts';

export function threadRoutes({ world }: RestServices): Hono<RestEnv> {
	const app = new Hono<RestEnv>();

	app.post('/channels/:channel/messages/:message/threads', (c) => {
		const channel = channelOf(c, world);
		const message = findMessage(world, channel, param(c, 'message'), caller(c).id);
		const thread = makeThread(world, channel, caller(c).id, jsonOf<ThreadWish>(c), message);
		return c.json(renderChannel(world, thread, caller(c).id), 201);
	});
	app.post('/channels/:channel/threads', (c) => {
		const thread = makeThread(world, channelOf(c, world), caller(c).id, jsonOf<ThreadWish>(c));
		return c.json(renderChannel(world, thread, caller(c).id), 201);
	});

	const listOf = (c: RestContext, threads: Channel[]): object => ({
		threads: threads.map((one) => renderChannel(world, one, caller(c).id)),
		members: threads
			.filter((one) => one.thread?.members.has(caller(c).id) === true)
			.map((one) => renderThreadMember(one, caller(c).id)),
		has_more: false,
	});
	const threadsWhere = (accept: (one: Channel) => boolean): Channel[] =>
		[...world.channels.values()].filter((one) => one.thread !== undefined && accept(one));

	app.get('/guilds/:guild/threads/active', (c) =>
		c.json(
			listOf(
				c,
				threadsWhere((one) => one.thread?.archived === false && canView(world, caller(c).id, one)),
			),
		),
	);
	for (const kind of ['public', 'private'] as const) {
		app.get(`/channels/:channel/threads/archived/${kind}`, (c) => {
			const channel = channelOf(c, world);
			demand(world, caller(c).id, channel, 'ReadMessageHistory');
			if (kind === 'private') demand(world, caller(c).id, channel, 'ManageThreads');
			const wanted = kind === 'public' ? ChannelType.PublicThread : ChannelType.PrivateThread;
			const limit = Number(c.req.query('limit') ?? 50);
			const found = threadsWhere(
				(one) => one.parentId === channel.id && one.thread?.archived === true && one.type === wanted,
			).sort((a, b) => (b.thread?.archiveChangedAtMs ?? 0) - (a.thread?.archiveChangedAtMs ?? 0));
			return c.json({ ...listOf(c, found.slice(0, limit)), has_more: found.length > limit });
		});
	}
	app.get('/channels/:channel/users/@me/threads/archived/private', (c) => {
		const channel = channelOf(c, world);
		const found = threadsWhere(
			(one) =>
				one.parentId === channel.id &&
				one.thread?.archived === true &&
				one.type === ChannelType.PrivateThread &&
				one.thread.members.has(caller(c).id),
		);
		return c.json(listOf(c, found));
	});

	const userOf = (c: RestContext): string => (param(c, 'user') === '@me' ? caller(c).id : param(c, 'user'));
	app.get('/channels/:channel/thread-members', (c) => {
		const channel = channelOf(c, world);
		return c.json([...threadOf(channel).members.keys()].map((id) => renderThreadMember(channel, id)));
	});
	app.get('/channels/:channel/thread-members/:user', (c) => {
		const channel = channelOf(c, world);
		const account = world.accounts.get(userOf(c));
		if (account === undefined || !threadOf(channel).members.has(account.id)) throw refusal('unknownMember');
		const withMember = c.req.query('with_member') === 'true';
		return c.json({
			...renderThreadMember(channel, account.id),
			...(withMember ? { member: renderMemberWithUser(account) } : {}),
		});
	});
	app.put('/channels/:channel/thread-members/:user', (c) => {
		const channel = channelOf(c, world);
		const thread = threadOf(channel);
		if (thread.archived) throw refusal('threadArchived');
		const userId = userOf(c);
		if (!world.accounts.has(userId)) throw refusal('unknownUser');
		if (userId !== caller(c).id) {
			demand(world, caller(c).id, channel, 'SendMessagesInThreads');
			const closed = channel.type === ChannelType.PrivateThread && !thread.invitable;
			if (closed && !hasPermission(world, caller(c).id, channel, 'ManageThreads')) throw refusal('missingPermissions');
			const parent = world.channels.get(channel.parentId ?? '');
			if (parent === undefined || !canView(world, userId, parent)) throw refusal('missingAccess');
		}
		addThreadMember(world, channel, userId);
		return noContent(c);
	});
	app.delete('/channels/:channel/thread-members/:user', (c) => {
		const channel = channelOf(c, world);
		if (threadOf(channel).archived) throw refusal('threadArchived');
		const userId = userOf(c);
		const isOwner = channel.type === ChannelType.PrivateThread && threadOf(channel).ownerId === caller(c).id;
		if (userId !== caller(c).id && !isOwner) demand(world, caller(c).id, channel, 'ManageThreads');
		removeThreadMember(world, channel, userId);
		return noContent(c);
	});
	return app;
}
