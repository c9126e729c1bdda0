import { type Client, Events, type Message } from 'discord.js';
import type { ChatBus } from '../core/chat/bus-port.ts';
import { type ChatMessage, SELF } from '../core/chat/message.ts';
import type { MessageClaims } from '../core/overseer/stores.ts';
import type { Clock, Log, Metrics } from '../core/ports.ts';
import type { Tracer } from '../core/tracer.ts';
import type { BotSettings } from './deps.ts';
import { toDiscordFailure } from './discord-failure.ts';
import { createLanes } from './lanes.ts';
import { catchUpFloor, readMissed } from './messages/catch-up.ts';
import { countContent, FRESH_CONTENT_WATCH, MISSING_CONTENT_WARNING } from './messages/content-watch.ts';
import { toIncoming } from './messages/incoming.ts';
import { type NormaliseContext, normalise } from './messages/normalise.ts';

export interface RouterDeps {
	readonly settings: () => BotSettings;
	readonly bus: Pick<ChatBus, 'publish'>;
	readonly claims: MessageClaims;
	/** Name people see in a room now. */
	readonly name: () => string;
	readonly listensTo?: NormaliseContext['listensTo'];
	/** Whether another part of the bot takes a message, as with a question to the concierge in a room's channel. */
	readonly isOthers?: (message: Message) => boolean;
	readonly onWarning: (key: string, text: string) => void;
	readonly retry?: { readonly firstMs: number; readonly maxMs: number };
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
	readonly tracer: Tracer;
}

export interface Router {
	/** Listens on a client. Edits are not listened to: neither a link preview nor a correction is a new message. */
	attach(client: Client): void;
	/** Reads what was missed in every room since the last handled message. Never rejects. */
	catchUp(): Promise<void>;
	/** Counts a message of a person that another part took in, for the watch on the message-content intent. */
	noteContent(hasContent: boolean): void;
	/** Takes no more events and finishes those in hand. */
	stop(): Promise<void>;
}

/**
 * Discord → bus. Each message is claimed by its id, published once, and then the channel's mark moves past it. When the
 * store fails, Discord's own history is the buffer: the channel is read again from the mark until that works.
 */
export function createRouter(deps: RouterDeps): Router {
	const { bus, claims, clock, log, metrics, tracer } = deps;
	const retry = deps.retry ?? { firstMs: 500, maxMs: 30_000 };
	const lanes = createLanes();
	/** Channels whose newest messages must be read from history, with the running retry. */
	const behind = new Map<string, { timer?: NodeJS.Timeout; waitMs: number }>();
	/** Oldest message of a channel that this process heard and could not take in: where to begin when the store knows no mark. */
	const missed = new Map<string, string>();
	/** Channels in which a message came in live: their newest message is in hand, not old news. */
	const lively = new Set<string>();
	let watch = FRESH_CONTENT_WATCH;
	let isStopped = false;
	/** The newest client; a retry must not ask one that was discarded. */
	let current: Client | undefined;

	const contextOf = (client: Client<true>): NormaliseContext => {
		const { discord, rooms } = deps.settings();
		return { selfId: client.user.id, name: deps.name(), rooms, guildId: discord.guildId, listensTo: deps.listensTo };
	};

	const mark = async (channelId: string, messageId: string) => {
		await claims.markHandled(channelId, messageId).catch((error: unknown) => {
			log.warn({ error, channelId }, 'the last handled message could not be noted; it will be read again');
		});
	};

	const publish = (message: ChatMessage, channelId: string, claimed: boolean) =>
		tracer.step('discord.message', { marks: { messageId: message.id }, attributes: { room: message.room } }, (step) =>
			publishOnce({ ...message, trace: step.context }, channelId, claimed),
		);

	const publishOnce = async (message: ChatMessage, channelId: string, claimed: boolean) => {
		try {
			const outcome = await bus.publish(message);
			metrics.count('discord_messages_total', { outcome });
			log.info({ room: message.room, outcome }, 'a message was taken in');
		} catch (error) {
			// Nothing left this process yet: let the message come again.
			if (claimed) await claims.release(message.id).catch(() => {});
			throw error;
		}
		await mark(channelId, message.id);
	};

	const takeLive = async (client: Client<true>, raw: Message) => {
		if (deps.isOthers?.(raw)) return;
		const incoming = toIncoming(raw);
		const normalised = normalise(incoming, contextOf(client));
		if (normalised.kind === 'ignored') {
			metrics.count('discord_messages_total', { outcome: normalised.reason });
			if (normalised.reason === 'empty' && !incoming.isBot) noteContent(false);
			return;
		}
		// Messages that mention or answer us carry text with and without the intent: they prove nothing.
		const { bot, mentions, replyTo } = normalised.message;
		if (!bot && !mentions.includes(SELF) && !replyTo?.toBot) noteContent(true);
		await lanes.run(raw.channelId, async () => {
			if (behind.has(raw.channelId)) return void noteMissed(raw.channelId, incoming.id);
			try {
				const claimed = await claims.claim(incoming.id);
				if (!claimed) return metrics.count('discord_messages_total', { outcome: 'claimed' });
				await publish(normalised.message, raw.channelId, claimed);
			} catch (error) {
				metrics.count('discord_messages_total', { outcome: 'failed' });
				log.error({ error, messageId: incoming.id }, 'a message could not be taken in; its channel is read again soon');
				noteMissed(raw.channelId, incoming.id);
				fallBehind(raw.channelId);
			}
		});
	};

	const noteMissed = (channelId: string, messageId: string) => {
		const oldest = missed.get(channelId);
		if (oldest === undefined || BigInt(messageId) < BigInt(oldest)) missed.set(channelId, messageId);
	};

	const noteContent = (hasContent: boolean) => {
		if (!deps.settings().discord.messageContent) return;
		const next = countContent(watch, hasContent);
		watch = next.watch;
		if (next.warn) deps.onWarning('message_content', MISSING_CONTENT_WARNING);
	};

	const fallBehind = (channelId: string) => {
		const waitMs = Math.min(retry.maxMs, (behind.get(channelId)?.waitMs ?? retry.firstMs / 2) * 2);
		const timer = setTimeout(() => void lanes.run(channelId, () => catchUpChannel(channelId)), waitMs);
		behind.set(channelId, { timer, waitMs });
	};

	const catchUpChannel = async (channelId: string) => {
		if (isStopped) return;
		try {
			const client = current;
			if (!client?.isReady()) throw new Error('no discord session');
			const { catchUp } = deps.settings().discord;
			const last = await claims.lastHandled(channelId);
			const from = missed.get(channelId);
			// A store without a mark is new or came back empty: what it had is decided on already or gone, so only what was heard
			// since it failed is read.
			if (last === undefined && from === undefined) await markNewest(client, channelId);
			else if (catchUp.maxMessages > 0) await readAgain(client, channelId, last, from);
			behind.delete(channelId);
			missed.delete(channelId);
		} catch (error) {
			const { isPermanent, code } = toDiscordFailure(error);
			if (isPermanent) {
				behind.delete(channelId);
				deps.onWarning(
					`history:${channelId}`,
					`The history of <#${channelId}> cannot be read (${code}); messages missed there are lost.`,
				);
				return;
			}
			log.warn({ error, channelId }, 'catching up failed, trying again');
			fallBehind(channelId);
		}
	};

	const markNewest = async (client: Client<true>, channelId: string) => {
		// The cache counts what has just come in as newest too; marking that would drop it unread.
		if (lively.has(channelId)) return;
		const channel = client.channels.cache.get(channelId);
		const newest = channel?.isTextBased() && 'lastMessageId' in channel ? channel.lastMessageId : null;
		if (newest !== null && newest !== undefined) await claims.markHandled(channelId, newest);
	};

	const readAgain = async (
		client: Client<true>,
		channelId: string,
		last: string | undefined,
		from: string | undefined,
	) => {
		const limits = deps.settings().discord.catchUp;
		const context = contextOf(client);
		const first = await claims.firstHandled(channelId);
		const floor = last === undefined ? BigInt(from ?? 0) : catchUpFloor(last, clock.now(), limits, first);
		const toMessage = (raw: Message) => normalise(toIncoming(raw), context);
		const isWanted = (raw: Message) => !deps.isOthers?.(raw) && toMessage(raw).kind === 'message';
		const missed = await readMissed(client, channelId, floor, limits, isWanted);
		if (missed.isCut)
			log.warn({ channelId, ...limits }, 'more was missed than may be caught up with; the oldest is left out');
		let fresh = 0;
		for (const raw of missed.messages) {
			const normalised = toMessage(raw);
			if (normalised.kind !== 'message') continue;
			// A claim without its publishing means that a process died in between, so the bus is asked either way:
			// it knows what it has.
			const claimed = await claims.claim(raw.id);
			if (claimed) fresh += 1;
			await publish(normalised.message, channelId, claimed);
		}
		if (fresh > 0) metrics.count('discord_caught_up_total', {}, fresh);
		if (fresh > 0) log.info({ channelId, count: fresh }, 'caught up with missed messages');
	};

	return {
		attach(client) {
			current = client;
			client.on(Events.MessageCreate, (message) => {
				lively.add(message.channelId);
				if (isStopped || !client.isReady()) return;
				takeLive(client, message).catch((error: unknown) =>
					log.error({ error, messageId: message.id }, 'a message broke the router'),
				);
			});
		},
		async catchUp() {
			if (isStopped) return;
			const channels = deps.settings().rooms.map((room) => room.channelId);
			await Promise.all(
				channels.map((channelId) => {
					clearTimeout(behind.get(channelId)?.timer);
					return lanes.run(channelId, () => catchUpChannel(channelId));
				}),
			);
		},
		noteContent,
		async stop() {
			isStopped = true;
			for (const { timer } of behind.values()) clearTimeout(timer);
			await lanes.drain();
		},
	};
}
