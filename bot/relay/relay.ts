import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, SendableChannels } from 'discord.js';
import type { ChatBus } from '../../core/chat/bus-port.ts';
import type { ChatMessage } from '../../core/chat/message.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { Tracer } from '../../core/tracer.ts';
import type { BotSettings } from '../deps.ts';
import { type DiscordFailure, toDiscordFailure } from '../discord-failure.ts';
import { toOutgoing } from './outgoing.ts';
import { channelOfRoom } from './place.ts';
import { createTyping } from './typing.ts';

export interface RelayDeps {
	readonly settings: () => BotSettings;
	readonly bus: Pick<ChatBus, 'consume' | 'onTyping'>;
	readonly client: () => Client | undefined;
	/** Tells the operator, once per key in a while. */
	readonly onWarning: (key: string, text: string) => void;
	readonly undeliverable?: ((message: ChatMessage, code: number) => void) | undefined;
	readonly retry?: { readonly tries: number; readonly firstMs: number };
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
	readonly tracer: Tracer;
}

export interface Relay {
	start(): void;
	/** Waits for the line in hand. */
	stop(): Promise<void>;
	/** Something changed in a channel or thread: lines may go there again. */
	reopen(channelId: string): void;
}

/** How long Discord surely remembers a nonce; for older lines its history is read before posting. */
const NONCE_TRUSTED_MS = 60_000;
/** Nobody wants a line this late; an answer to a person waits longer. */
const STALE_AFTER_MS = 3 * 60_000;
const ANSWER_STALE_AFTER_MS = 15 * 60_000;
const CLOSED_FOR_MS = 10 * 60_000;

/** Bus → Discord: the only place that posts. */
export function createRelay(deps: RelayDeps): Relay {
	const { clock, log, metrics } = deps;
	const retry = deps.retry ?? { tries: 4, firstMs: 500 };
	/** Channels that refused for good, and until when nothing is tried there. */
	const closed = new Map<string, number>();
	let removers: (() => Promise<void>)[] = [];
	let stopping = new AbortController();

	const channelFor = async (room: string): Promise<SendableChannels | undefined> => {
		const channelId = channelOfRoom(room, deps.settings().rooms);
		if (channelId === undefined) return undefined;
		const channel = await session().channels.fetch(channelId);
		return channel?.isSendable() ? channel : undefined;
	};

	const session = (): Client => {
		const client = deps.client();
		if (client === undefined) throw new Error('no discord session');
		return client;
	};

	const typing = createTyping({
		clock,
		async pulse(room) {
			const channel = await channelFor(room);
			if (channel === undefined) return false;
			await channel.sendTyping();
			return true;
		},
	});

	const drop = (message: ChatMessage, why: string, code = 0) => {
		metrics.count('discord_sends_total', { outcome: why });
		log.warn({ messageId: message.id, room: message.room, why, code }, 'a line was not posted');
		deps.undeliverable?.(message, code);
	};

	const post = async (message: ChatMessage) => {
		const channel = await channelFor(message.room);
		if (channel === undefined) return drop(message, 'no_channel');
		const outgoing = toOutgoing(message);
		if (outgoing.length === 0) return drop(message, 'empty');
		const posted =
			clock.now() - message.at > NONCE_TRUSTED_MS ? await alreadyPosted(channel, message) : new Set<string>();
		for (const options of outgoing) {
			if (!posted.has((options.content ?? '').trim())) await channel.send(options);
		}
		metrics.count('discord_sends_total', { outcome: 'posted' });
		log.info({ room: message.room, parts: outgoing.length }, 'a line was posted');
		metrics.observe('discord_send_seconds', Math.max(0, clock.now() - message.at) / 1_000);
	};

	const giveUp = (message: ChatMessage, channelId: string, failure: DiscordFailure) => {
		const isPlace = failure.reason === 'gone' || failure.reason === 'locked' || failure.reason === 'forbidden';
		if (isPlace) closed.set(channelId, clock.now() + CLOSED_FOR_MS);
		drop(message, failure.reason, failure.code);
		deps.onWarning(`relay:${channelId}:${failure.code}`, refusalText(channelId, failure));
	};

	const handle = async (message: ChatMessage) => {
		if (!message.bot || message.source === 'discord') return;
		const { trace: parent, decisionId, source } = message;
		const marks = { messageId: message.id, ...(decisionId === undefined ? {} : { decision: decisionId }) };
		await deps.tracer.step('discord.post', { parent, kind: 'consumer', marks, attributes: { source } }, () =>
			bring(message),
		);
	};

	const bring = async (message: ChatMessage) => {
		typing.end(message.room, message.source);
		const channelId = channelOfRoom(message.room, deps.settings().rooms);
		if (channelId === undefined) return drop(message, 'no_channel');
		const age = clock.now() - message.at;
		if (age > (message.replyTo === undefined ? STALE_AFTER_MS : ANSWER_STALE_AFTER_MS)) return drop(message, 'stale');
		if ((closed.get(channelId) ?? 0) > clock.now()) return drop(message, 'closed');
		closed.delete(channelId);
		for (let attempt = 1; ; attempt += 1) {
			try {
				return await post(message);
			} catch (error) {
				const failure = toDiscordFailure(error);
				if (failure.isPermanent) return giveUp(message, channelId, failure);
				metrics.count('discord_sends_total', { outcome: 'retried' });
				log.warn({ error, messageId: message.id, attempt }, 'posting failed, trying again');
				if (attempt >= retry.tries || stopping.signal.aborted) throw error;
				await pause(retry.firstMs * 2 ** (attempt - 1), stopping.signal);
			}
		}
	};

	return {
		start() {
			stopping = new AbortController();
			removers = [
				deps.bus.consume('relay', handle),
				deps.bus.onTyping((signal) => {
					if (signal.source !== 'discord') typing.hear(signal);
				}),
			];
		},
		async stop() {
			stopping.abort();
			typing.stop();
			await Promise.all(removers.map((remove) => remove()));
			typing.stop();
			removers = [];
		},
		reopen: (channelId) => void closed.delete(channelId),
	};
}

/** Our own recent lines in the channel: what an earlier delivery of this message already posted. */
async function alreadyPosted(channel: SendableChannels, message: ChatMessage): Promise<Set<string>> {
	const recent = await channel.messages.fetch({ limit: 50, cache: false });
	const own = recent.filter(
		(line) => line.author.id === line.client.user.id && line.createdTimestamp >= message.at - 5_000,
	);
	return new Set(own.map((line) => line.content.trim()));
}

function refusalText(channelId: string, { reason, code }: DiscordFailure): string {
	const place = `<#${channelId}>`;
	if (reason === 'gone')
		return `${place} does not exist any more (${code}); lines for it are dropped. Repair: set another channel in the configuration.`;
	if (reason === 'locked')
		return `${place} is locked or archived (${code}); lines for it are dropped until it is opened.`;
	if (reason === 'forbidden')
		return `I may not write in ${place} (${code}). Repair: give my role View Channel and Send Messages there; \`npm run doctor\` names what is missing.`;
	return `Discord refused a line for ${place} (${code}); it is not tried again.`;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
	await sleep(ms, undefined, { signal }).catch(() => undefined);
}
