import type { Message } from 'discord.js';
import { MessageType } from 'discord.js';
import type { IntakeSession } from '../../core/intake/session.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import { createTranslate, type Translate, toLanguage } from '../catalogue.ts';
import type { BotSettings } from '../deps.ts';
import { nonceOf } from '../relay/outgoing.ts';
import { inline, toPayload, type View } from '../views/view.ts';
import { attachmentOrigins, type ReadFile, readFile } from './attachments.ts';
import type { CardKeeper } from './card-keeper.ts';
import type { IntakePorts } from './intake-ports.ts';
import type { SessionReader } from './session-reader.ts';
import { unavailableView } from './views/said-once.ts';

export interface ThreadInboxDeps {
	readonly settings: () => BotSettings;
	readonly ports: Pick<IntakePorts, 'desk'>;
	readonly reader: SessionReader;
	readonly cards: CardKeeper;
	/** A message of a person with or without readable content, for the watch on the intent. */
	readonly noteContent: (hasContent: boolean) => void;
	readonly get?: typeof fetch;
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Takes one message of an intake's thread. Rejects when it could not be handed in and has to be read again. */
export interface ThreadInbox {
	take(message: Message, sessionId: string): Promise<void>;
}

/** The message could not be stored anywhere; Discord's own history keeps it until it can. */
class NotKept extends Error {
	readonly code = 'intake_not_kept';
}

/** Quiet time after which the state has moved on by itself, and a little more. */
const AFTER_QUIET_MS = 700;

/** A thread's messages as answers: who may, what in it is text, and what is said when it is none. */
export function createThreadInbox(deps: ThreadInboxDeps): ThreadInbox {
	const { ports, reader, cards, log, metrics } = deps;
	/** Things that are said once a session, as far as this process knows. */
	const said = new Set<string>();
	const once = (key: string) => {
		if (said.has(key)) return false;
		if (said.size > 5_000) said.clear();
		said.add(key);
		return true;
	};
	const count = (outcome: string) => metrics.count('discord_messages_total', { outcome });

	const reply = async (message: Message, view: View) => {
		await message
			.reply({
				...toPayload(view),
				failIfNotExists: false,
				nonce: nonceOf(`${message.id}:intake`, 0),
				enforceNonce: true,
			})
			.catch((error: unknown) => log.warn({ error, messageId: message.id }, 'an intake could not answer a message'));
	};

	/** All that can be read of a message, and words about what cannot. */
	const readText = async (message: Message, t: Translate) => {
		const { intake, discord } = deps.settings();
		const origins = attachmentOrigins(discord.restUrl);
		const files = await Promise.all(
			message.attachments.map((file) => readFile(file, intake, origins, ...(deps.get ? [deps.get] : []))),
		);
		const texts = [message.content.trim(), ...files.flatMap((file) => (file.kind === 'text' ? [file.text] : []))];
		const max = Math.floor(intake.maxAttachmentBytes / 1_024);
		const declined = files.flatMap((file: ReadFile) =>
			file.kind === 'declined'
				? [t('intake.file.declined', { name: inline(file.name, 60), max, why: t(`intake.file.${file.why}`) })]
				: [],
		);
		return { text: texts.filter((part) => part !== '').join('\n\n'), declined };
	};

	const sayUnreadable = async (message: Message, session: IntakeSession, t: Translate) => {
		const hasExtras = message.attachments.size > 0 || message.stickers.size > 0;
		if (hasExtras) return reply(message, { content: t('intake.textPlease') });
		deps.noteContent(false);
		if (!deps.settings().discord.messageContent && once(`replies:${session.id}`))
			await reply(message, { content: t('intake.repliesOnly') });
	};

	/** Not even the state can be read. It is said once an outage, and the message is read again by itself. */
	const tellStoreAway = async (message: Message, sessionId: string, error: unknown): Promise<never> => {
		if (once(`unavailable:${sessionId}:redis:false`)) {
			const t = createTranslate(deps.settings().language ?? toLanguage(message.guild?.preferredLocale));
			await reply(message, { ...unavailableView('redis', false, t), content: t('intake.notSavedMessage') });
		}
		throw error;
	};

	return {
		async take(message, sessionId) {
			const session = await reader.read(sessionId).catch((error: unknown) => tellStoreAway(message, sessionId, error));
			if (typeof session === 'string') return count('intake_gone');
			const isTheirs = session.requesterId === message.author.id || session.coOwnerIds.includes(message.author.id);
			if (!isTheirs) return count('intake_other_person');
			const t = createTranslate(toLanguage(session.language));
			const { text, declined } = await readText(message, t);
			if (declined.length > 0) await reply(message, { content: declined.join('\n') });
			if (text === '') {
				count('intake_empty');
				return declined.length > 0 ? undefined : sayUnreadable(message, session, t);
			}
			if (message.type !== MessageType.Reply) deps.noteContent(true);
			// A thanks after the end needs no lecture each time.
			const isOver = session.state === 'COMPLETE' || session.state === 'CANCELLED';
			if (isOver && !once(`over:${session.id}`)) return count('intake_over');
			const author = { id: message.author.id, bot: message.author.bot };
			const result = await ports.desk.submit(sessionId, {
				kind: 'message',
				id: message.id,
				author,
				text,
				whole: false,
			});
			count(result.kind === 'taken' ? 'intake' : `intake_${result.kind}`);
			if (result.kind === 'unavailable') {
				if (once(`unavailable:${session.id}:${result.reason}:${result.kept}`))
					await reply(message, {
						...unavailableView(result.reason, result.kept, t),
						...(result.kept ? {} : { content: t('intake.notSavedMessage') }),
					});
				if (!result.kept) throw new NotKept('an answer could not be stored');
				return;
			}
			for (const key of [...said]) if (key.startsWith(`unavailable:${session.id}:`)) said.delete(key);
			cards.touch(sessionId);
			cards.touchLater(sessionId, deps.settings().intake.quietMs + AFTER_QUIET_MS);
		},
	};
}
