import { type APIApplicationCommand, ApplicationCommandType } from 'discord-api-types/v10';
import { z } from 'zod';
import { typingUserIds } from '../messages/typing.ts';
import type { LoggedRequest } from '../rest/request-log.ts';
import { canView, channelPermissions, permissionNames } from '../state/permissions.ts';
import { compareSnowflakes } from '../state/snowflakes.ts';
import type { World } from '../state/world.ts';
import { ControlError } from './control-error.ts';
import { accountOf, channelByName, messageById, personOf } from './lookups.ts';
import { flag, number, operation } from './operation.ts';
import { type SeenChannel, type SeenMessage, seenChannel, seenMessage } from './seen.ts';
import { waitUntil } from './waits.ts';

const asOptional = z.string().optional();

function viewerOf(world: World, as: string | undefined): string | undefined {
	return as === undefined ? undefined : personOf(world, as).id;
}

export interface SeenState {
	guild: { id: string; name: string };
	nowMs: number;
	people: { id: string; name: string; displayName: string; roles: string[]; member: boolean }[];
	bots: {
		applicationId: string;
		name: string;
		online: boolean;
		status: string;
		activity: string | null;
		member: boolean;
		sessions: { id: string; connected: boolean; seq: number; intents: number }[];
	}[];
	roles: { id: string; name: string; color: number; permissions: string[] }[];
	channels: SeenChannel[];
	typing: Record<string, string[]>;
	sidePanels: { title: string; url: string }[];
}

function visibleChannels(world: World, viewerId: string | undefined): SeenChannel[] {
	return [...world.channels.values()]
		.filter((one) => viewerId === undefined || canView(world, viewerId, one))
		.sort((a, b) => a.position - b.position)
		.map((one) => seenChannel(world, one, viewerId));
}

/** Messages of a channel as somebody sees them, oldest first. Without `viewerId`, everybody's ephemeral ones too. */
function visibleMessages(world: World, channelName: string | undefined, viewerId: string | undefined): SeenMessage[] {
	const channels =
		channelName === undefined
			? [...world.channels.values()].filter((one) => viewerId === undefined || canView(world, viewerId, one))
			: [channelByName(world, channelName, viewerId)];
	return channels
		.flatMap((one) => one.messageIds)
		.flatMap((id) => world.messages.get(id) ?? [])
		.filter((one) => one.audienceId === undefined || viewerId === undefined || one.audienceId === viewerId)
		.sort((a, b) => compareSnowflakes(a.id, b.id))
		.map((one) => seenMessage(world, one));
}

const messageFilter = {
	as: asOptional,
	channel: z.string().optional(),
	/** Only messages newer than this id. */
	after: z.string().optional(),
	author: z.string().optional(),
	/** Part of `allText`, without regard to case. */
	contains: z.string().optional(),
	/** Regular expression on `allText`. */
	matches: z.string().optional(),
	/** Only replies to this message. */
	replyTo: z.string().optional(),
	ephemeral: flag.optional(),
	/** Deferred answers without text are passed over unless this is true. */
	thinking: flag.default(false),
};

type MessageFilter = z.output<z.ZodObject<typeof messageFilter>>;

function compileFilter(world: World, filter: MessageFilter): (message: SeenMessage) => boolean {
	let pattern: RegExp | undefined;
	try {
		pattern = filter.matches === undefined ? undefined : new RegExp(filter.matches, 'u');
	} catch (error) {
		throw new ControlError('invalid', `matches: ${error instanceof Error ? error.message : 'bad pattern'}`);
	}
	const authorId = filter.author === undefined ? undefined : accountOf(world, filter.author).id;
	const part = filter.contains?.toLowerCase();
	return (message) =>
		(filter.after === undefined || compareSnowflakes(message.id, filter.after) > 0) &&
		(authorId === undefined || message.author.id === authorId) &&
		(part === undefined || message.allText.toLowerCase().includes(part)) &&
		(pattern === undefined || pattern.test(message.allText)) &&
		(filter.replyTo === undefined || message.replyTo?.id === filter.replyTo) &&
		(filter.ephemeral === undefined || message.ephemeral === filter.ephemeral) &&
		(filter.thinking || !message.thinking);
}

const requestFilter = {
	/** Only requests with a greater `seq`. */
	after: number.default(0),
	method: z.string().optional(),
	/** Exactly the `route`, e.g. "POST /channels/:id/messages". */
	route: z.string().optional(),
	/** Part of the path. */
	path: z.string().optional(),
	bot: z.string().optional(),
	/** Part of the body as JSON. */
	contains: z.string().optional(),
};

function fitsRequest(filter: z.output<z.ZodObject<typeof requestFilter>>, request: LoggedRequest): boolean {
	return (
		request.seq > filter.after &&
		(filter.method === undefined || request.method === filter.method.toUpperCase()) &&
		(filter.route === undefined || request.route === filter.route) &&
		(filter.path === undefined || request.path.includes(filter.path)) &&
		(filter.bot === undefined || request.bot?.toLowerCase() === filter.bot.toLowerCase()) &&
		(filter.contains === undefined || JSON.stringify(request.body).includes(filter.contains))
	);
}

const subscribeWorld = (world: World) => (listener: () => void) => world.events.subscribe(listener);

export const readingOperations = {
	/** The whole house as somebody sees it; without `as`, all of it. */
	state: operation(z.object({ as: asOptional }), ({ world, gateway, sidePanels }, input): SeenState => {
		const viewerId = viewerOf(world, input.as);
		const channels = visibleChannels(world, viewerId);
		const sessions = gateway.sessions();
		return {
			guild: { id: world.guildId, name: world.guildName },
			nowMs: world.now(),
			people: [...world.accounts.values()]
				.filter((one) => !one.isBot && one.id !== world.ownerId)
				.map((one) => ({
					id: one.id,
					name: one.name,
					displayName: one.nick ?? one.displayName,
					roles: one.roleIds.flatMap((id) => world.roles.get(id)?.name ?? []),
					member: one.isMember,
				})),
			bots: [...world.applications.values()].map((one) => {
				const account = world.accounts.get(one.id);
				const own = sessions.filter((session) => session.bot === one.name);
				return {
					applicationId: one.id,
					name: one.name,
					online: own.some((session) => session.connected),
					status: account?.status ?? 'offline',
					activity: account?.activity ?? null,
					member: account?.isMember ?? false,
					sessions: own.map(({ id, connected, seq, intents }) => ({ id, connected, seq, intents })),
				};
			}),
			roles: [...world.roles.values()].map((one) => ({
				id: one.id,
				name: one.name,
				color: one.color,
				permissions: permissionNames(one.permissions),
			})),
			channels,
			typing: Object.fromEntries(
				channels
					.map((one): [string, string[]] => [
						one.id,
						typingUserIds(world, one.id).flatMap((id) => world.accounts.get(id)?.name ?? []),
					])
					.filter(([, names]) => names.length > 0),
			),
			sidePanels,
		};
	}),
	/** Messages, oldest first; the newest `limit` of those that fit. */
	messages: operation(
		z.object({ ...messageFilter, thinking: flag.default(true), limit: number.default(50) }),
		({ world }, input) => {
			const fits = compileFilter(world, input);
			return visibleMessages(world, input.channel, viewerOf(world, input.as)).filter(fits).slice(-input.limit);
		},
	),
	messageById: operation(z.object({ as: asOptional, message: z.string() }), ({ world }, input): SeenMessage => {
		return seenMessage(world, messageById(world, input.message, viewerOf(world, input.as)).message);
	}),
	/**
	 * Waits for the first message that fits, new or edited into shape.
	 * Without `after`, messages older than the call do not count.
	 */
	waitMessage: operation(
		z.object({ ...messageFilter, timeoutMs: number.default(10_000) }),
		async ({ world }, input): Promise<SeenMessage> => {
			const viewerId = viewerOf(world, input.as);
			const fits = compileFilter(world, { ...input, after: input.after ?? world.nextId() });
			const look = () => visibleMessages(world, input.channel, viewerId).find(fits);
			const found = await waitUntil(look, [subscribeWorld(world)], input.timeoutMs);
			if (found === undefined) throw new ControlError('timeout', 'no such message appeared in time');
			return found;
		},
	),
	/** Waits until a message is gone. */
	waitDeleted: operation(
		z.object({ message: z.string(), timeoutMs: number.default(10_000) }),
		async ({ world }, input): Promise<{ deleted: string }> => {
			const look = () => (world.messages.has(input.message) ? undefined : true);
			const gone = await waitUntil(look, [subscribeWorld(world)], input.timeoutMs);
			if (gone === undefined) throw new ControlError('timeout', 'the message is still there');
			return { deleted: input.message };
		},
	),
	/** Waits until a bot has a connected session (with `online: false`: until it has none). */
	waitBot: operation(
		z.object({ bot: z.string().optional(), online: flag.default(true), timeoutMs: number.default(15_000) }),
		async ({ world, gateway }, input): Promise<{ online: boolean }> => {
			const wanted = input.bot?.toLowerCase();
			const look = () => {
				const own = gateway.sessions().filter((one) => wanted === undefined || one.bot.toLowerCase() === wanted);
				return own.some((one) => one.connected) === input.online ? true : undefined;
			};
			const found = await waitUntil(look, [subscribeWorld(world)], input.timeoutMs);
			if (found === undefined) throw new ControlError('timeout', 'the bot did not get there in time');
			return { online: input.online };
		},
	),
	/** Waits until somebody is shown as typing. */
	waitTyping: operation(
		z.object({ as: asOptional, channel: z.string(), who: z.string(), timeoutMs: number.default(10_000) }),
		async ({ world }, input): Promise<{ typing: string }> => {
			const channel = channelByName(world, input.channel, viewerOf(world, input.as));
			const who = accountOf(world, input.who);
			const look = () => (typingUserIds(world, channel.id).includes(who.id) ? true : undefined);
			const found = await waitUntil(look, [subscribeWorld(world)], input.timeoutMs);
			if (found === undefined) throw new ControlError('timeout', `${who.name} was not seen typing`);
			return { typing: who.name };
		},
	),
	/** Commands a person can pick here, as registered. */
	commands: operation(
		z.object({ as: asOptional, channel: z.string().optional() }),
		({ world, commands }, input): { bot: string; command: APIApplicationCommand }[] => {
			const viewerId = viewerOf(world, input.as);
			const channel = input.channel === undefined ? undefined : channelByName(world, input.channel, viewerId);
			const allowed = (command: APIApplicationCommand): boolean => {
				if (viewerId === undefined || channel === undefined) return true;
				const bits = channelPermissions(world, viewerId, channel);
				const isAdmin = permissionNames(bits).includes('Administrator');
				if (isAdmin || command.default_member_permissions === null) return true;
				if (command.default_member_permissions === '0') return false;
				const needed = BigInt(command.default_member_permissions ?? 0);
				return (bits & needed) === needed;
			};
			return [...world.applications.values()].flatMap((bot) =>
				commands
					.visible(bot.id)
					.filter((one) => one.type !== ApplicationCommandType.PrimaryEntryPoint && allowed(one))
					.map((command) => ({ bot: bot.name, command })),
			);
		},
	),
	/** REST requests received, oldest first. */
	requests: operation(
		z.object({ ...requestFilter, limit: number.default(200) }),
		({ requests }, input): LoggedRequest[] =>
			requests
				.list()
				.filter((one) => fitsRequest(input, one))
				.slice(-input.limit),
	),
	/** Waits for an answered request that fits. Without `after`, earlier ones do not count. */
	waitRequest: operation(
		z.object({ ...requestFilter, after: number.optional(), timeoutMs: number.default(10_000) }),
		async ({ requests }, input): Promise<LoggedRequest> => {
			const after = input.after ?? requests.list().at(-1)?.seq ?? 0;
			const look = () => requests.list().find((one) => one.status !== 0 && fitsRequest({ ...input, after }, one));
			const found = await waitUntil(look, [requests.onSettled], input.timeoutMs);
			if (found === undefined) throw new ControlError('timeout', 'no such request arrived in time');
			return found;
		},
	),
	/** Permissions of a person or bot in a channel, by name. */
	permissions: operation(z.object({ who: z.string(), channel: z.string() }), ({ world }, input): string[] => {
		const channel = channelByName(world, input.channel);
		return permissionNames(channelPermissions(world, accountOf(world, input.who).id, channel));
	}),
};
