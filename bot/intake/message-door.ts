import { type Client, Events, type Message, type PartialMessage } from 'discord.js';
import type { MessageClaims } from '../../core/overseer/stores.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { BotSettings } from '../deps.ts';
import { toDiscordFailure } from '../discord-failure.ts';
import { createLanes } from '../lanes.ts';
import { catchUpFloor, readMissed } from '../messages/catch-up.ts';
import { snowflakeAt, snowflakeTime } from '../snowflake.ts';
import type { IntakePorts } from './intake-ports.ts';
import type { ThreadIndex } from './thread-index.ts';

export interface MessageDoorDeps {
	readonly settings: () => BotSettings;
	readonly ports: Pick<IntakePorts, 'desk'>;
	readonly claims: MessageClaims;
	readonly threads: ThreadIndex;
	/** A message in the thread of a session. Rejects when it has to be read again. */
	readonly onAnswer: (message: Message, sessionId: string) => Promise<void>;
	/** A message in an intake channel that may be a wish. Rejects when it has to be read again. */
	readonly onWish: (message: Message) => Promise<void>;
	readonly onChanged: (sessionId: string) => void;
	readonly retry?: { readonly firstMs: number; readonly maxMs: number };
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Messages, edits and deletions on their way to intakes: each taken once, none lost while the store is away. */
export interface MessageDoor {
	attach(client: Client): void;
	/** Reads what was written in a place since its last handled message. Never rejects. */
	catchUp(channelId: string): Promise<void>;
	stop(): Promise<void>;
}

/** A thread of ours this young may not have its session yet. */
const TOO_YOUNG_MS = 10_000;

export function createMessageDoor(deps: MessageDoorDeps): MessageDoor {
	const { claims, threads, clock, log, metrics } = deps;
	const retry = deps.retry ?? { firstMs: 500, maxMs: 30_000 };
	const lanes = createLanes();
	/** Places whose newest messages must be read from history, with the running retry. */
	const behind = new Map<string, { timer: NodeJS.Timeout; waitMs: number }>();
	let current: Client | undefined;
	let isStopped = false;

	/** Bots, webhooks and system messages are never anybody's answer (D04); other guilds are not ours. */
	const isPersons = (message: Message) => {
		const { guildId } = deps.settings().discord;
		const isProgram = message.author.bot || message.webhookId !== null || message.system;
		return !isProgram && message.inGuild() && (guildId === undefined || message.guildId === guildId);
	};

	const isIntakeChannel = (channelId: string) =>
		deps.settings().intake.enabled && deps.settings().intake.channels.some((one) => one.channelId === channelId);

	/** Threads in the fleet's channel are those of sessions, unless wishes are taken there too. */
	const isOurThread = ({ channel, client }: Message | PartialMessage) =>
		channel.isThread() &&
		channel.ownerId === client.user?.id &&
		(channel.parentId !== deps.settings().fleet.channelId || isIntakeChannel(channel.parentId ?? ''));

	const concerns = (message: Message) => isOurThread(message) || isIntakeChannel(message.channelId);

	const take = async (message: Message) => {
		if (isOurThread(message)) {
			const sessionId = await threads.find(message.channelId);
			if (sessionId !== undefined) return deps.onAnswer(message, sessionId);
			if (clock.now() - snowflakeTime(message.channelId) < TOO_YOUNG_MS)
				throw new Error('no session in this thread yet');
			return;
		}
		if (isIntakeChannel(message.channelId)) await deps.onWish(message);
	};

	const takeLive = async (message: Message) => {
		if (!concerns(message) || !isPersons(message)) return;
		await lanes.run(message.channelId, async () => {
			if (behind.has(message.channelId)) return;
			try {
				if (!(await claims.claim(`intake-${message.id}`)))
					return metrics.count('discord_messages_total', { outcome: 'claimed' });
				await take(message);
				await claims.markHandled(message.channelId, message.id);
			} catch (error) {
				await claims.release(`intake-${message.id}`).catch(() => {});
				log.warn({ error, messageId: message.id }, 'an intake could not take a message in; it is read again soon');
				fallBehind(message.channelId);
			}
		});
	};

	const fallBehind = (channelId: string) => {
		if (isStopped) return;
		const waitMs = Math.min(retry.maxMs, (behind.get(channelId)?.waitMs ?? retry.firstMs / 2) * 2);
		const timer = setTimeout(() => void lanes.run(channelId, () => catchUpNow(channelId)), waitMs);
		behind.set(channelId, { timer, waitMs });
	};

	const catchUpNow = async (channelId: string) => {
		if (isStopped) return;
		try {
			if (!current?.isReady()) throw new Error('no discord session');
			const last = await claims.lastHandled(channelId);
			// Nothing was handled in a thread of ours yet: its own id is older than all that was said in it.
			const mark = last ?? (isIntakeChannel(channelId) ? undefined : channelId);
			if (mark !== undefined) await readAgain(current, channelId, mark);
			else await markNewest(current, channelId);
			behind.delete(channelId);
		} catch (error) {
			if (toDiscordFailure(error).isPermanent) return void behind.delete(channelId);
			log.warn({ error, channelId }, 'catching up with an intake failed, trying again');
			fallBehind(channelId);
		}
	};

	/** The first look at a channel: what stands there already was not meant for us. */
	const markNewest = async (client: Client, channelId: string) => {
		const channel = await client.channels.fetch(channelId);
		const newest = channel?.isTextBased() && 'lastMessageId' in channel ? channel.lastMessageId : null;
		// An empty channel gets a mark too, so that the first wish in it is not lost with a store that is away.
		await claims.markHandled(channelId, newest ?? snowflakeAt(clock.now()).toString());
	};

	const readAgain = async (client: Client, channelId: string, mark: string) => {
		const limits = deps.settings().discord.catchUp;
		const isThread = !isIntakeChannel(channelId);
		// An answer is waited for, however long we were away; a wish in a channel grows old like any line.
		const ages = isThread ? { ...limits, maxAgeMs: Number.MAX_SAFE_INTEGER } : limits;
		const floor = catchUpFloor(mark, clock.now(), ages, await claims.firstHandled(channelId));
		const missed = await readMissed(client, channelId, floor, { ...limits, maxMessages: 200 }, isPersons);
		for (const message of missed.messages) {
			// Claimed without being handled means that a process ended in between: the desk knows what it has.
			await claims.claim(`intake-${message.id}`);
			await take(message);
			await claims.markHandled(channelId, message.id);
		}
	};

	const sessionOf = async (message: Message | PartialMessage) =>
		isOurThread(message) ? threads.find(message.channelId) : undefined;

	/** A link preview is an update without an edit (D05); what really changed is judged by the session. */
	const takeEdit = async (before: Message | PartialMessage, after: Message) => {
		if (after.editedTimestamp === null || !isPersons(after)) return;
		if (!before.partial && before.content === after.content) return;
		const sessionId = await sessionOf(after);
		if (sessionId === undefined || after.content.trim() === '') return;
		const author = { id: after.author.id, bot: after.author.bot };
		const text = after.content.trim();
		const result = await deps.ports.desk.submit(
			sessionId,
			{ kind: 'message_edited', id: after.id, author, text },
			{ waitMs: 0 },
		);
		if (result.kind === 'unavailable' && !result.kept) log.warn({ messageId: after.id }, 'an edit could not be stored');
		deps.onChanged(sessionId);
	};

	const takeDeletion = async (message: Message | PartialMessage) => {
		const sessionId = await sessionOf(message);
		if (sessionId === undefined) return;
		await deps.ports.desk.submit(sessionId, { kind: 'message_deleted', messageId: message.id }, { waitMs: 0 });
		deps.onChanged(sessionId);
	};

	const safely = (what: string, work: Promise<unknown>) =>
		void work.catch((error: unknown) => log.warn({ error }, `an intake could not take in ${what}`));

	return {
		attach(client) {
			current = client;
			client.on(Events.MessageCreate, (message) => {
				if (!isStopped && client.isReady()) safely('a message', takeLive(message));
			});
			client.on(Events.MessageUpdate, (before, after) => {
				if (!isStopped && client.isReady() && concerns(after))
					safely(
						'an edit',
						lanes.run(after.channelId, () => takeEdit(before, after)),
					);
			});
			client.on(Events.MessageDelete, (message) => {
				if (!isStopped && client.isReady())
					safely(
						'a deletion',
						lanes.run(message.channelId, () => takeDeletion(message)),
					);
			});
		},
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
