import { type Client, Events, type Message, type SendableChannels } from 'discord.js';
import type { PendingAsk } from '../../../core/fleet/concierge-state.ts';
import type { OutboxItem, OutboxShown } from '../../../core/fleet/outbox.ts';
import type { Presser } from '../../../core/fleet/settle-question.ts';
import { createTranslate, type Language, type Translate } from '../../catalogue.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import { houseLanguage } from '../../house-language.ts';
import { createTyping } from '../../relay/typing.ts';
import { inline } from '../../views/view.ts';
import { createPersonDoor } from '../door/person-door.ts';
import { writerOf } from '../door/person-of.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import { askIn } from './ask-in.ts';
import { replyParts } from './reply-parts.ts';

export interface AskRequest {
	/** Unique; the same question again is asked once. */
	readonly id: string;
	readonly by: Presser;
	readonly text: string;
	/** Where it was asked. */
	readonly channelId: string;
	/** The message that is the question, where there is one. */
	readonly messageId?: string;
	/** What is told at once is told in this one. */
	readonly language: Language;
}

export type Asked =
	/** The answer comes as a message in this channel. */
	| { readonly kind: 'queued'; readonly channelId: string }
	/** It is off; the fleet as code tells it. */
	| { readonly kind: 'off'; readonly plain: string }
	| { readonly kind: 'full' | 'empty' | 'duplicate' };

/** Questions of people to the concierge, and its answers. */
export interface FleetAsks {
	/** Rejects with `RedisUnavailable`. */
	ask(request: AskRequest): Promise<Asked>;
	/** Whether a message is a question to the concierge, so that nobody else takes it. */
	isAsk(message: Message): boolean;
	showReply(item: Extract<OutboxItem, { kind: 'reply' }>): Promise<OutboxShown>;
	attach(client: Client): void;
	catchUp(): Promise<void>;
	stop(): Promise<void>;
}

const LATER: OutboxShown = { laterMs: 2_000 };

export function createFleetAsks(deps: FleetDeps): FleetAsks {
	const { ports, clock, log, metrics } = deps;
	const fleet = () => deps.settings().fleet;

	const typing = createTyping({
		clock,
		async pulse(channelId) {
			const channel = await channelOf(channelId);
			if (channel === undefined) return false;
			await channel.sendTyping();
			return true;
		},
	});

	const channelOf = async (channelId: string | undefined): Promise<SendableChannels | undefined> => {
		const client = deps.client();
		if (channelId === undefined || !client?.isReady()) return undefined;
		const channel = await client.channels.fetch(channelId).catch((error: unknown) => {
			if (toDiscordFailure(error).isPermanent) return null;
			throw error;
		});
		return channel?.isSendable() && !channel.isDMBased() ? channel : undefined;
	};

	/** What sessions do is told in the fleet channel and its threads only, wherever it was asked. */
	const answerPlace = async (channelId: string): Promise<string> => {
		const home = fleet().channelId ?? channelId;
		if (channelId === home) return home;
		return (await ports.places.byThread(channelId)) === undefined ? home : channelId;
	};

	const ask: FleetAsks['ask'] = async (request) => {
		const channelId = await answerPlace(request.channelId);
		const pending: PendingAsk = {
			id: request.id,
			at: clock.now(),
			...request.by,
			text: request.text,
			replyTo: { channelId, ...(request.messageId === undefined ? {} : { messageId: request.messageId }) },
		};
		const kind = await ports.conciergeDesk.ask(pending);
		metrics.count('discord_messages_total', { outcome: `fleet_ask_${kind}` });
		if (kind === 'off') return { kind, plain: await ports.conciergeDesk.plainFleet(request.language) };
		if (kind !== 'queued') return { kind };
		const until = clock.now() + fleet().concierge.turnDeadlineMs;
		typing.hear({ room: channelId, source: request.by.whoId, until });
		return { kind, channelId };
	};

	const wordsFor = (asked: Asked, t: Translate): string | undefined => {
		if (asked.kind === 'off') return `${t('fleet.ask.off')}\n${asked.plain}`;
		if (asked.kind === 'full') return t('fleet.ask.full');
		return asked.kind === 'empty' ? t('fleet.ask.empty') : undefined;
	};

	const take = async (message: Message<true>) => {
		const text = askIn(message, deps.settings());
		if (text === undefined) return;
		const language = houseLanguage(deps.settings(), deps.client());
		const t = createTranslate(language);
		const { channelId, id: messageId } = message;
		const by = writerOf(message);
		const request = { id: `m-${messageId}`, by, text, channelId, messageId, language };
		const asked: Asked = text === '' ? { kind: 'empty' } : await ask(request);
		const words = wordsFor(asked, t);
		if (words === undefined) return;
		const replyTo = { channelId, messageId };
		await post(message.channel, `ask:${messageId}`, { whoId: by.whoId, replyTo }, words, '', true).catch(
			(error: unknown) => {
				if (!toDiscordFailure(error).isPermanent) throw error;
				log.warn({ error, messageId }, 'a question to the concierge was not answered');
			},
		);
	};

	const post = async (
		channel: SendableChannels,
		id: string,
		to: Pick<PendingAsk, 'whoId' | 'replyTo'>,
		text: string,
		head: string,
		isReply: boolean,
	) => {
		for (const part of replyParts({ id, ask: to, text, head, isReply })) await channel.send(part);
	};

	const door = createPersonDoor({
		...deps,
		concerns: (message) => askIn(message, deps.settings()) !== undefined,
		take,
		startsAt: () => undefined,
		limits: () => deps.settings().discord.catchUp,
		onCut: (channelId) =>
			deps.onWarning(
				`fleet:cut:${channelId}`,
				`More was written in <#${channelId}> while I was away than I read again; the oldest questions there are left out.`,
			),
	});

	return {
		ask,
		isAsk: (message) => askIn(message, deps.settings()) !== undefined,
		async showReply(item) {
			if (!deps.client()?.isReady()) return LATER;
			const language = houseLanguage(deps.settings(), deps.client());
			const t = createTranslate(language);
			const { ask: asked } = item;
			const noModel = ports.price().id === undefined ? `${t('fleet.ask.noModel')}\n` : '';
			const text = `${noModel}${item.texts?.[language] ?? item.text}`;
			const head = t('fleet.ask.head', { who: `<@${asked.whoId}>`, question: inline(asked.text, 200) });
			const askedIn = asked.replyTo['channelId'];
			const home = fleet().channelId;
			for (const channelId of askedIn === home ? [home] : [askedIn, home]) {
				const channel = await channelOf(channelId);
				if (channel === undefined) continue;
				try {
					await post(channel, item.id, asked, text, head, channelId === askedIn);
					metrics.count('discord_sends_total', { outcome: 'fleet_reply' });
					return 'shown';
				} catch (error) {
					if (!toDiscordFailure(error).isPermanent) throw error;
					log.warn({ error, channelId, ask: asked.id }, 'an answer of the concierge cannot be posted there');
				}
			}
			log.error({ ask: asked.id }, 'an answer of the concierge could be posted nowhere');
			return 'dropped';
		},
		attach(client) {
			door.attach(client);
			// Whichever process posts the answer, all of them see it.
			client.on(Events.MessageCreate, (message) => {
				if (message.author.id !== client.user?.id) return;
				for (const personId of message.mentions.users.keys()) typing.end(message.channelId, personId);
			});
		},
		async catchUp() {
			const channelId = fleet().channelId;
			door.forgetPlaces();
			if (channelId !== undefined) await door.catchUp(channelId);
		},
		async stop() {
			typing.stop();
			await door.stop();
		},
	};
}
