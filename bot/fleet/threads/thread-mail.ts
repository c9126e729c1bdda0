import type { AnyThreadChannel, Message } from 'discord.js';
import type { OutboxItem, OutboxShown } from '../../../core/fleet/outbox.ts';
import type { DeliveryResult } from '../../../core/fleet/session-control.ts';
import type { Presser } from '../../../core/fleet/settle-question.ts';
import { mayFleet } from '../../../core/fleet/trust.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import { nonceOf } from '../../relay/outgoing.ts';
import { toPayload } from '../../views/view.ts';
import { personOf, writerOf } from '../door/person-of.ts';
import { wordsOf } from '../door/words-of.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import type { FleetPlace } from '../fleet-place.ts';
import { commandLine, findLine, isSending, originOf, replyLine, withState } from './delivery-line.ts';
import { leftFilesNote, leftFilesOf, withAddresses } from './left-files.ts';
import { createPatience } from './patience.ts';
import type { ThreadHome } from './thread-home.ts';

export interface CommandMail {
	readonly sessionId: string;
	/** Of the command; the same one again is sent once. */
	readonly interactionId: string;
	readonly by: Presser;
	readonly kind: 'message' | 'abort' | 'stop';
	readonly mode: 'queue' | 'interrupt';
	/** Empty for what is no message. */
	readonly text: string;
}

export interface CommandSent {
	readonly result: DeliveryResult;
	/** Where its further way is shown. */
	readonly threadId: string | undefined;
}

/** People's words on their way into sessions, with their way shown in the thread. */
export interface ThreadMail {
	/** A message in a thread whose session is not known any more. */
	takeGone(message: Message<true>): Promise<void>;
	/** A message in a session's thread. Rejects when it has to be read again. */
	take(message: Message<true>, sessionId: string): Promise<void>;
	/** Something sent by a command or a button; rights were asked for before. Rejects with `RedisUnavailable`. */
	send(mail: CommandMail): Promise<CommandSent>;
	showDelivery(item: Extract<OutboxItem, { kind: 'delivery' }>): Promise<OutboxShown>;
}

type DeliveryItem = Extract<OutboxItem, { kind: 'delivery' }>;

/** Whoever wrote the line is waited for this long to say that it was sent. */
const WRITER_MS = 15_000;
const SOON: OutboxShown = { laterMs: 1_000 };

export function createThreadMail(
	deps: FleetDeps & { readonly place: FleetPlace; readonly home: ThreadHome },
): ThreadMail {
	const { ports, place, home, clock, log, metrics } = deps;
	const patiently = createPatience();

	/** Says something under a message; a line that cannot be posted holds nothing up. */
	const reply = async (message: Message, content: string, nonce: string): Promise<Message | undefined> => {
		try {
			return await message.reply({
				...toPayload({ content }),
				failIfNotExists: false,
				nonce: nonceOf(`${message.id}:${nonce}`, 0),
				enforceNonce: true,
			});
		} catch (error) {
			if (!toDiscordFailure(error).isPermanent) throw error;
			log.warn({ error, messageId: message.id }, 'a message to a session cannot be answered');
			return undefined;
		}
	};

	const editInTurn = (line: Message, content: string) =>
		deps.edits.edit(line.channelId, `line ${line.id}`, () => line.edit(toPayload({ content })));

	const rewrite = async (line: Message, content: string) => {
		await editInTurn(line, content).catch((error: unknown) => {
			if (!toDiscordFailure(error).isPermanent) throw error;
			log.info({ error, messageId: line.id }, 'the way of a message is not shown any further');
		});
	};

	/** Nobody waits for the line's turn; where it is not written, the delivery is shown in it. */
	const rewriteLater = (line: Message, content: string) => {
		rewrite(line, content).catch((error: unknown) =>
			log.info({ error, messageId: line.id }, 'a line still says that a message is being sent'),
		);
	};

	const takeGone: ThreadMail['takeGone'] = async (message) => {
		metrics.count('discord_messages_total', { outcome: 'fleet_gone' });
		await reply(message, `-# ${place.words()('fleet.thread.gone')}`, 'line');
	};

	const take: ThreadMail['take'] = async (message, sessionId) => {
		const t = place.words();
		const count = (outcome: string) => metrics.count('discord_messages_total', { outcome: `fleet_${outcome}` });
		const { session } = await ports.sessions.load(sessionId, [], []);
		if (session === undefined) return takeGone(message);
		const { discord, fleet } = deps.settings();
		if (!mayFleet('message', await personOf(message), session, discord, fleet)) {
			count('refused');
			await reply(message, `-# ${t('fleet.thread.notYours')}`, 'line');
			return;
		}
		const words = wordsOf(message);
		const isBare = message.content === '' && message.attachments.size === 0 && message.stickers.size === 0;
		if (isBare) deps.noteContent(false);
		const isInterrupt = words.startsWith('!');
		const files = leftFilesOf(message);
		const text = withAddresses(isInterrupt ? words.slice(1).trim() : words, files);
		if (text === '') {
			count('empty');
			const isUnread = isBare && !discord.messageContent;
			await reply(message, `-# ${t(isUnread ? 'fleet.thread.noContent' : 'fleet.thread.noText')}`, 'line');
			return;
		}
		const line = await reply(message, replyLine('sending', isInterrupt, t, leftFilesNote(files, t)), 'line');
		const mode = isInterrupt ? 'interrupt' : 'queue';
		const item = { id: `m-${message.id}`, kind: 'message' as const, mode: mode as 'interrupt' | 'queue', text };
		const result = await ports.messageDesk.send(sessionId, item, writerOf(message));
		count(result.kind);
		if (line === undefined || !isSending(line.content)) return;
		const content = withState(line.content, result, t);
		if (result.kind === 'queued' || result.kind === 'delivered') rewriteLater(line, content);
		// What is not on its way will not be heard of again.
		else await rewrite(line, content);
	};

	const send: ThreadMail['send'] = async ({ sessionId, interactionId, by, kind, mode, text }) => {
		const t = place.words();
		const head = t(`fleet.thread.sent.${kind === 'message' ? mode : kind}`, { who: `<@${by.whoId}>` });
		const command = { head, interactionId, words: text.slice(0, 1_500), isInterrupt: mode === 'interrupt' };
		const write = (state: 'sending' | DeliveryResult) => commandLine(command, state, t);
		const id = `c-${interactionId}`;
		const thread = await openQuietly(sessionId);
		const line = thread === undefined ? undefined : await postLine(thread, id, write('sending'));
		const result = await ports.messageDesk.send(sessionId, { id, kind, mode, ...(text === '' ? {} : { text }) }, by);
		if (line !== undefined) rewriteLater(line, write(result));
		return { result, threadId: line === undefined ? undefined : thread?.id };
	};

	const openQuietly = async (sessionId: string) =>
		home.open(sessionId).catch((error: unknown) => {
			log.warn({ error, sessionId }, 'the way of a message is not shown, as no thread could be reached');
			return undefined;
		});

	const postLine = async (thread: AnyThreadChannel, id: string, content: string) =>
		thread
			.send({ ...toPayload({ content }), nonce: nonceOf(`${id}:line`, 0), enforceNonce: true })
			.catch((error: unknown) => {
				log.warn({ error, threadId: thread.id }, 'the way of a message cannot be shown');
				return undefined;
			});

	const showDelivery = async ({ sessionId, itemId, result, at }: DeliveryItem): Promise<OutboxShown> => {
		const client = deps.client();
		const origin = originOf(itemId);
		if (origin === undefined) return 'dropped';
		if (!client?.isReady()) return SOON;
		const isFine = result.kind === 'delivered' || result.kind === 'queued';
		// Bad news is shown also where there was no thread for it yet.
		const thread = isFine ? await home.find(sessionId) : await home.open(sessionId);
		if (thread === undefined) return 'dropped';
		const t = place.words();
		try {
			const line = await findLine(client, thread, origin);
			const isWritten = origin.kind === 'form' || clock.now() - at > WRITER_MS;
			// Its writer is just about to say that it was sent, and must not have the last word.
			if (!isWritten && (line === undefined || isSending(line.content))) return SOON;
			if (line !== undefined) {
				const content = withState(line.content, result, t);
				if (line.content !== content) await editInTurn(line, content);
				return 'shown';
			}
			const head = t('fleet.thread.sent.earlier');
			const content = commandLine({ head, interactionId: origin.id, words: '', isInterrupt: false }, result, t);
			await thread.send({ ...toPayload({ content }), nonce: nonceOf(`${itemId}:late`, 0), enforceNonce: true });
			return 'shown';
		} catch (error) {
			const { isPermanent, reason } = toDiscordFailure(error);
			if (!isPermanent) throw error;
			log.warn({ error, itemId, reason }, 'how a message fared cannot be shown');
			return 'dropped';
		}
	};

	return {
		takeGone,
		take,
		send,
		showDelivery: (item) => patiently(item.id, item.itemId, () => showDelivery(item)),
	};
}
