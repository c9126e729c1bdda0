import { Hono } from 'hono';
import { invalidForm, refusal } from '../discord-error.ts';
import { mayReadContent, stripContent } from '../gateway/event-filter.ts';
import { pinnedMessages, setPinned } from '../messages/pins.ts';
import { deleteMessage, editMessage, findMessage, postMessage } from '../messages/poster.ts';
import { startTyping } from '../messages/typing.ts';
import type { Channel, Message } from '../state/model.ts';
import { demand, hasPermission } from '../state/permissions.ts';
import { isGuildChannel, renderMessage } from '../state/render.ts';
import { compareSnowflakes, isSnowflake } from '../state/snowflakes.ts';
import type { World } from '../state/world.ts';
import { isSystemMessage } from '../threads/thread-maker.ts';
import {
	caller,
	channelOf,
	jsonOf,
	messageBodyOf,
	noContent,
	param,
	type RestContext,
	type RestEnv,
	type RestServices,
} from './rest-context.ts';

const bulkDeleteAgeMs = 14 * 24 * 60 * 60_000;

/** What a bot may read of a message: REST strips content too when the application lacks the intent. */
function show(c: RestContext, world: World, message: Message): object {
	const application = caller(c);
	const api = renderMessage(world, message, application.id);
	if (mayReadContent(application.privilegedIntents)) return api;
	return stripContent(api, application.id, !isGuildChannel(world, message.channelId));
}

function visibleMessages(world: World, channel: Channel): Message[] {
	return channel.messageIds.flatMap((id) => world.messages.get(id) ?? []).filter((one) => one.audienceId === undefined);
}

/** A page of history, newest first, chosen by before, after or around. */
function pageOf(all: Message[], query: Record<string, string>): Message[] {
	const limit = query['limit'] === undefined ? 50 : Number(query['limit']);
	if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
		throw invalidForm('limit', 'NUMBER_TYPE_MAX', 'int value should be between 1 and 100.');
	}
	const { before, after, around } = query;
	for (const [key, value] of Object.entries({ before, after, around })) {
		if (value !== undefined && !isSnowflake(value) && value !== '0') {
			throw invalidForm(key, 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);
		}
	}
	const newestFirst = [...all].sort((a, b) => compareSnowflakes(b.id, a.id));
	if (before !== undefined) {
		return newestFirst.filter((one) => compareSnowflakes(one.id, before) < 0).slice(0, limit);
	}
	if (after !== undefined) {
		return newestFirst.filter((one) => compareSnowflakes(one.id, after) > 0).slice(-limit);
	}
	if (around !== undefined) {
		const newer = newestFirst.filter((one) => compareSnowflakes(one.id, around) > 0);
		const rest = newestFirst.filter((one) => compareSnowflakes(one.id, around) <= 0);
		const half = Math.floor(limit / 2);
		return [...newer.slice(-half), ...rest.slice(0, limit - Math.min(half, newer.length))];
	}
	return newestFirst.slice(0, limit);
}

export function messageRoutes({ world }: RestServices): Hono<RestEnv> {
	const app = new Hono<RestEnv>();
	const messageOf = (c: RestContext, channel: Channel): Message => {
		const message = findMessage(world, channel, param(c, 'message'), caller(c).id);
		if (message.audienceId !== undefined) throw refusal('unknownMessage');
		return message;
	};

	app.get('/channels/:channel/messages', (c) => {
		const channel = channelOf(c, world);
		const readable = hasPermission(world, caller(c).id, channel, 'ReadMessageHistory');
		return c.json(
			readable ? pageOf(visibleMessages(world, channel), c.req.query()).map((one) => show(c, world, one)) : [],
		);
	});
	app.post('/channels/:channel/messages', (c) => {
		const channel = channelOf(c, world);
		const message = postMessage(world, channel, messageBodyOf(c), { authorId: caller(c).id });
		return c.json(show(c, world, message));
	});
	app.post('/channels/:channel/messages/bulk-delete', (c) => {
		const channel = channelOf(c, world);
		demand(world, caller(c).id, channel, 'ManageMessages');
		const ids = jsonOf<{ messages?: string[] }>(c).messages ?? [];
		if (ids.length < 2 || ids.length > 100) throw refusal('bulkDeleteCount');
		const found = ids.flatMap((id) => world.messages.get(id) ?? []).filter((one) => one.channelId === channel.id);
		if (found.some((one) => world.now() - one.createdAtMs > bulkDeleteAgeMs)) throw refusal('bulkDeleteTooOld');
		const gone = new Set(found.map((one) => one.id));
		channel.messageIds = channel.messageIds.filter((id) => !gone.has(id));
		for (const id of gone) world.messages.delete(id);
		world.events.publish({
			type: 'MESSAGE_DELETE_BULK',
			scope: { kind: 'channel', channelId: channel.id },
			render: () => ({ ids: [...gone], channel_id: channel.id, guild_id: world.guildId }),
		});
		return noContent(c);
	});

	app.get('/channels/:channel/messages/pins', (c) => {
		const channel = channelOf(c, world);
		demand(world, caller(c).id, channel, 'ReadMessageHistory');
		const items = pinnedMessages(world, channel).map((one) => ({
			pinned_at: new Date(one.pinnedAtMs ?? 0).toISOString(),
			message: show(c, world, one),
		}));
		return c.json({ items, has_more: false });
	});
	app.get('/channels/:channel/pins', (c) => {
		const channel = channelOf(c, world);
		demand(world, caller(c).id, channel, 'ReadMessageHistory');
		return c.json(pinnedMessages(world, channel).map((one) => show(c, world, one)));
	});
	const pin = (pinned: boolean) => (c: RestContext) => {
		const channel = channelOf(c, world);
		demand(world, caller(c).id, channel, 'PinMessages');
		setPinned(world, channel, messageOf(c, channel), caller(c).id, pinned);
		return noContent(c);
	};
	for (const path of ['/channels/:channel/messages/pins/:message', '/channels/:channel/pins/:message']) {
		app.put(path, pin(true));
		app.delete(path, pin(false));
	}

	app.get('/channels/:channel/messages/:message', (c) => {
		const channel = channelOf(c, world);
		demand(world, caller(c).id, channel, 'ReadMessageHistory');
		return c.json(show(c, world, messageOf(c, channel)));
	});
	app.patch('/channels/:channel/messages/:message', (c) => {
		const channel = channelOf(c, world);
		const message = messageOf(c, channel);
		if (message.authorId !== caller(c).id) throw refusal('notAuthor');
		return c.json(show(c, world, editMessage(world, message, messageBodyOf(c))));
	});
	app.delete('/channels/:channel/messages/:message', (c) => {
		const channel = channelOf(c, world);
		const message = messageOf(c, channel);
		if (message.authorId !== caller(c).id || isSystemMessage(message)) {
			demand(world, caller(c).id, channel, 'ManageMessages');
		}
		if (channel.thread?.archived === true) throw refusal('threadArchived');
		deleteMessage(world, message);
		return noContent(c);
	});
	app.post('/channels/:channel/typing', (c) => {
		const channel = channelOf(c, world);
		demand(world, caller(c).id, channel, channel.thread === undefined ? 'SendMessages' : 'SendMessagesInThreads');
		startTyping(world, channel, caller(c).id);
		return noContent(c);
	});
	return app;
}
