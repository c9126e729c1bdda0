import { type Client, Events, type Message } from 'discord.js';
import type { MessageClaims } from '../../../core/overseer/stores.ts';
import type { Clock, Log, Metrics } from '../../../core/ports.ts';
import type { BotSettings } from '../../deps.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import { createLanes } from '../../lanes.ts';
import { type CatchUpLimits, catchUpFloor, readMissed } from '../../messages/catch-up.ts';
import { snowflakeAt } from '../../snowflake.ts';

export interface PersonDoorDeps {
	readonly settings: () => BotSettings;
	readonly claims: MessageClaims;
	/** Whether a message may be meant; asked for every message, so it must be quick. */
	readonly concerns: (message: Message) => boolean;
	/** Takes one message in. Rejects when it has to be read again; the same one may come again after that. */
	readonly take: (message: Message<true>) => Promise<void>;
	/** Where reading begins in a place nobody ever read: a message id, or undefined for "what stands there is old". */
	readonly startsAt: (channelId: string) => string | undefined;
	readonly limits: () => CatchUpLimits;
	/** More was missed in a place than may be caught up with; the oldest is left out. */
	readonly onCut: (channelId: string) => void;
	readonly retry?: { readonly firstMs: number; readonly maxMs: number };
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Messages of people in some places: each taken in once over all processes, in order, none lost while a store is away. */
export interface PersonDoor {
	attach(client: Client): void;
	/** Every place has to be caught up with before its next message: a new session with Discord. */
	forgetPlaces(): void;
	/** Reads what was written in a place since its last handled message. Never rejects. */
	catchUp(channelId: string): Promise<void>;
	stop(): Promise<void>;
}

/** Another process has it in hand, or died with it; in the latter case its claim ends by itself. */
class HeldElsewhere extends Error {
	readonly code = 'held_elsewhere';
}

export function createPersonDoor(deps: PersonDoorDeps): PersonDoor {
	const { claims, clock, log, metrics } = deps;
	const retry = deps.retry ?? { firstMs: 500, maxMs: 30_000 };
	const lanes = createLanes();
	/** Places whose newest messages must be read from history, with the running retry. */
	const behind = new Map<string, { timer: NodeJS.Timeout; waitMs: number }>();
	/** Places that were caught up with in this session. */
	const current = new Set<string>();
	let client: Client | undefined;
	let isStopped = false;

	const claimOf = (messageId: string) => `fleet-${messageId}`;
	const markOf = (channelId: string) => `fleet-${channelId}`;

	/** Bots, webhooks and system messages are nobody's words; other guilds are not ours. */
	const isPersons = (message: Message): message is Message<true> => {
		const { guildId } = deps.settings().discord;
		const isProgram = message.author.bot || message.webhookId !== null || message.system;
		return !isProgram && message.inGuild() && (guildId === undefined || message.guildId === guildId);
	};

	/** Takes a message that this process claimed; gives the claim back when it did not work. */
	const takeClaimed = async (message: Message<true>) => {
		try {
			await deps.take(message);
			await claims.markHandled(markOf(message.channelId), message.id);
		} catch (error) {
			await claims.release(claimOf(message.id)).catch(() => {});
			throw error;
		}
	};

	const takeLive = async (message: Message) => {
		if (!deps.concerns(message) || !isPersons(message)) return;
		const { channelId } = message;
		await lanes.run(channelId, async () => {
			if (!current.has(channelId)) await catchUpNow(channelId);
			if (behind.has(channelId) || isStopped) return;
			try {
				if (await claims.claim(claimOf(message.id))) await takeClaimed(message);
				else metrics.count('discord_messages_total', { outcome: 'claimed' });
			} catch (error) {
				log.warn({ error, messageId: message.id }, 'a message to the fleet is read again soon');
				fallBehind(channelId);
			}
		});
	};

	const fallBehind = (channelId: string) => {
		if (isStopped) return;
		const waitMs = Math.min(retry.maxMs, (behind.get(channelId)?.waitMs ?? retry.firstMs / 2) * 2);
		clearTimeout(behind.get(channelId)?.timer);
		const timer = setTimeout(() => void lanes.run(channelId, () => catchUpNow(channelId)), waitMs);
		behind.set(channelId, { timer, waitMs });
	};

	const catchUpNow = async (channelId: string) => {
		if (isStopped) return;
		try {
			if (!client?.isReady()) throw new Error('no discord session');
			const mark = (await claims.lastHandled(markOf(channelId))) ?? deps.startsAt(channelId);
			if (mark === undefined) await markNewest(client, channelId);
			else if (deps.limits().maxMessages > 0) await readAgain(client, channelId, mark);
			current.add(channelId);
			behind.delete(channelId);
		} catch (error) {
			if (toDiscordFailure(error).isPermanent) {
				current.add(channelId);
				behind.delete(channelId);
				return log.warn({ error, channelId }, 'what was missed in a place of the fleet cannot be read');
			}
			log.info({ error, channelId }, 'catching up with a place of the fleet is tried again');
			fallBehind(channelId);
		}
	};

	/** The first look at a channel: what stands there already was not meant for us. */
	const markNewest = async (session: Client, channelId: string) => {
		const channel = await session.channels.fetch(channelId);
		const newest = channel?.isTextBased() && 'lastMessageId' in channel ? channel.lastMessageId : null;
		// A message that has just come in is the newest too. It is taken after this, by its own claim.
		await claims.markHandled(markOf(channelId), newest ?? snowflakeAt(clock.now()).toString());
	};

	const readAgain = async (session: Client, channelId: string, mark: string) => {
		const selfId = session.user?.id;
		const limits = deps.limits();
		const isWanted = (message: Message) => message.author.id === selfId || isPersons(message);
		const first = await claims.firstHandled(markOf(channelId));
		const floor = catchUpFloor(mark, clock.now(), limits, first);
		const { messages, isCut } = await readMissed(session, channelId, floor, limits, isWanted);
		if (isCut) deps.onCut(channelId);
		const answered = new Set(
			messages.filter(({ author }) => author.id === selfId).map(({ reference }) => reference?.messageId),
		);
		for (const message of messages) {
			if (!isPersons(message) || !deps.concerns(message)) continue;
			const isOld = BigInt(message.id) <= BigInt(mark);
			// Read once more, because another process may have died with it: our answer under it says that it was handled.
			if (isOld && answered.has(message.id)) continue;
			const claimed = await claims.claim(claimOf(message.id));
			if (claimed) await takeClaimed(message);
			else if (!isOld) throw new HeldElsewhere('a message is in the hands of another process');
		}
	};

	return {
		attach(session) {
			client = session;
			current.clear();
			session.on(Events.MessageCreate, (message) => {
				if (isStopped || !session.isReady()) return;
				takeLive(message).catch((error: unknown) => log.error({ error, messageId: message.id }, 'a message broke'));
			});
		},
		forgetPlaces: () => current.clear(),
		async catchUp(channelId) {
			if (isStopped) return;
			clearTimeout(behind.get(channelId)?.timer);
			await lanes.run(channelId, () => catchUpNow(channelId));
		},
		async stop() {
			isStopped = true;
			for (const { timer } of behind.values()) clearTimeout(timer);
			await lanes.drain();
		},
	};
}
