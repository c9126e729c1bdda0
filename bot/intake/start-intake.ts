import type { AnyThreadChannel, Client, Message } from 'discord.js';
import type { UnavailableReason } from '../../core/intake/session.ts';
import { isTooShort } from '../../core/intake/wish-length.ts';
import type { MessageClaims } from '../../core/overseer/stores.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import type { BotSettings } from '../deps.ts';
import type { CardKeeper } from './card-keeper.ts';
import type { IntakePorts } from './intake-ports.ts';
import { openThread } from './open-thread.ts';
import type { SessionReader } from './session-reader.ts';
import type { Suggestions } from './suggestions.ts';
import type { ThreadIndex } from './thread-index.ts';
import { threadName } from './thread-name.ts';
import { discordPlace } from './thread-place.ts';

export interface StartDeps {
	readonly client: () => Client | undefined;
	readonly settings: () => BotSettings;
	readonly ports: Pick<IntakePorts, 'desk'>;
	readonly reader: SessionReader;
	readonly threads: ThreadIndex;
	readonly cards: CardKeeper;
	readonly suggestions: Pick<Suggestions, 'refresh'>;
	readonly claims: Pick<MessageClaims, 'markHandled'>;
	readonly clock: Clock;
	readonly random: Random;
	readonly log: Log;
}

export interface StartWish {
	readonly channelId: string;
	readonly personId: string;
	readonly text: string;
	/** Message or interaction that asks for it; the same one never opens two. */
	readonly onceId: string;
	/** Discord's locale of whoever asks. */
	readonly locale: string;
	readonly message?: Message;
	/** Message that the words stand in, for links; `onceId` when absent. */
	readonly saidIn?: string;
}

export type Started =
	| { readonly kind: 'opened'; readonly threadId: string; readonly isPublic: boolean; readonly wantedPrivate: boolean }
	| { readonly kind: 'exists'; readonly threadId: string | undefined }
	| { readonly kind: 'off' | 'no_text' | 'too_short' | 'not_here' }
	| { readonly kind: 'refused'; readonly code: number; readonly permissions: string }
	| {
			readonly kind: 'unavailable';
			readonly reason: UnavailableReason;
			readonly kept: boolean;
			readonly threadId?: string;
	  };

export type StartIntake = (wish: StartWish) => Promise<Started>;

/** Opens a thread and a session in it. Rejects when Discord cannot be asked; nothing is left behind then. */
export function createStartIntake(deps: StartDeps): StartIntake {
	const { ports, reader, threads, cards, log } = deps;

	/** A thread without a session would wait for answers that nobody reads. */
	const takeBack = (thread: AnyThreadChannel) =>
		thread.delete().catch((error: unknown) => log.warn({ error, threadId: thread.id }, 'an empty thread stays'));

	const firstCards = async (sessionId: string, thread: AnyThreadChannel) => {
		const session = await reader.read(sessionId);
		if (typeof session !== 'string') await cards.show(session, thread);
	};

	return async (wish) => {
		const { intake } = deps.settings();
		const client = deps.client();
		if (!intake.enabled) return { kind: 'off' };
		if (wish.text.trim() === '') return { kind: 'no_text' };
		if (isTooShort(wish.text)) return { kind: 'too_short' };
		if (!client?.isReady()) throw new Error('no discord session');
		const wantedPrivate = intake.privateThreads;
		const opened = await openThread(client, {
			channelId: wish.channelId,
			name: threadName(wish.text),
			isPrivate: wantedPrivate,
			...(wish.message === undefined ? {} : { message: wish.message }),
		});
		if (opened.kind !== 'opened') return opened;
		const { thread, isPublic } = opened;
		const start = {
			id: deps.random
				.id()
				.replace(/[^A-Za-z0-9]/g, '')
				.slice(0, 20),
			place: {
				kind: 'discord' as const,
				guildId: thread.guildId,
				channelId: thread.parentId ?? wish.channelId,
				threadId: thread.id,
			},
			requesterId: wish.personId,
			language: wish.locale.split('-')[0]?.toLowerCase() || intake.language,
			review: intake.review === 'on',
		};
		const author = { id: wish.personId, bot: false };
		const intent = { kind: 'intent' as const, id: wish.saidIn ?? wish.onceId, author, text: wish.text };
		const result = await ports.desk.open(start, intent, wish.onceId);
		if (result.kind === 'unavailable') {
			if (opened.isFresh) await takeBack(thread);
			return { kind: 'unavailable', reason: result.reason, kept: false };
		}
		if (result.kind === 'exists') {
			const session = await reader.read(result.sessionId);
			const place = typeof session === 'string' ? undefined : discordPlace(session);
			if (opened.isFresh && place?.threadId !== thread.id) await takeBack(thread);
			return { kind: 'exists', threadId: place?.threadId };
		}
		threads.note(thread.id, result.sessionId);
		deps.suggestions.refresh(wish.personId);
		await deps.claims.markHandled(thread.id, thread.id).catch(() => {});
		await thread.members
			.add(wish.personId)
			.catch((error: unknown) => log.warn({ error, threadId: thread.id }, 'the requester could not be added'));
		await firstCards(result.sessionId, thread).catch((error: unknown) =>
			log.warn({ error, sessionId: result.sessionId }, 'the first card comes with the first questions'),
		);
		if (result.first.kind === 'unavailable')
			return { kind: 'unavailable', reason: result.first.reason, kept: result.first.kept, threadId: thread.id };
		return { kind: 'opened', threadId: thread.id, isPublic, wantedPrivate };
	};
}
