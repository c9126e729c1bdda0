import type { AnyThreadChannel, Client } from 'discord.js';
import type { IntakeSession } from '../../core/intake/session.ts';
import type { Showing, Shown, SurfaceItem } from '../../core/intake/surface.ts';
import type { Log, Metrics } from '../../core/ports.ts';
import { createTranslate, type Translate, toLanguage } from '../catalogue.ts';
import type { BotSettings } from '../deps.ts';
import { nonceOf } from '../relay/outgoing.ts';
import { inline, toPayload, type View } from '../views/view.ts';
import type { CardKeeper } from './card-keeper.ts';
import { handoffPreview } from './handoff-preview.ts';
import type { SessionReader } from './session-reader.ts';
import { threadName } from './thread-name.ts';
import { discordPlace, findThread, placeFailure, type ThreadPlace } from './thread-place.ts';
import type { ThreadWatch } from './thread-watch.ts';
import { handoffFiles } from './views/handoff-files.ts';
import { errorView, noticeView, readingView, unavailableView } from './views/said-once.ts';

export interface ShowItemDeps {
	readonly client: () => Client | undefined;
	readonly settings: () => BotSettings;
	readonly reader: SessionReader;
	readonly cards: CardKeeper;
	readonly watch: Pick<ThreadWatch, 'report'>;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Tried again by itself when the thread is open again; sooner would only ask Discord what it just said. */
const LATER_MS = 15_000;

/** Shows what a session wants to say in its thread. Rejects when Discord is away, and then it is tried again. */
export function createShowItem(deps: ShowItemDeps): (showing: Showing) => Promise<Shown> {
	const { reader, cards, watch, log, metrics } = deps;

	const post = async (channel: { send: AnyThreadChannel['send'] }, itemId: string, view: View) => {
		await channel.send({ ...toPayload(view), nonce: nonceOf(itemId, 0), enforceNonce: true });
	};

	/** A place outside of threads: the admin channel, or a channel that is a sink of the inbox. */
	const postIn = async (client: Client, channelId: string | undefined, itemId: string, view: View): Promise<Shown> => {
		if (channelId === undefined) return { kind: 'dropped', reason: 'no_channel' };
		try {
			const channel = await client.channels.fetch(channelId);
			if (!channel?.isSendable() || channel.isDMBased()) return { kind: 'dropped', reason: 'no_text_channel' };
			await post(channel as AnyThreadChannel, itemId, view);
			return { kind: 'shown' };
		} catch (error) {
			const what = placeFailure(error);
			if (what === undefined) throw error;
			log.warn({ error, channelId }, 'a channel took no notice of an intake');
			return { kind: 'dropped', reason: what };
		}
	};

	const sayOnce = (item: SurfaceItem, t: Translate): View | undefined => {
		if (item.kind === 'notice') return noticeView(item.code, t);
		if (item.kind === 'error') return errorView(item.code, item.detail, t);
		if (item.kind === 'unavailable') return unavailableView(item.reason, true, t, item.error, item.opensAt);
		return item.kind === 'reading' ? readingView(item.reading, t) : undefined;
	};

	const show = async (item: SurfaceItem, session: IntakeSession, thread: AnyThreadChannel) => {
		const t = createTranslate(toLanguage(session.language));
		const view = sayOnce(item, t);
		if (item.kind === 'notice' && item.code === 'invited' && item.detail !== undefined)
			await thread.members.add(item.detail).catch((error: unknown) => log.warn({ error }, 'somebody was not added'));
		if (view !== undefined) await post(thread, item.id, view);
		const isOver = session.state === 'COMPLETE' || session.state === 'CANCELLED';
		if (item.kind === 'done' || !isOver) await cards.show(session, thread);
		if (item.kind === 'review' || item.kind === 'done') rename(session, thread);
		if (item.kind === 'done') await cards.forget(session);
	};

	/** The thread takes the project's name. Discord allows two renames in ten minutes, so nobody waits for it. */
	const rename = (session: IntakeSession, thread: AnyThreadChannel) => {
		const named = handoffPreview(session, deps.settings().intake)?.body.display_name;
		const name = named === undefined ? thread.name : threadName(named);
		if (name === thread.name) return;
		thread.setName(name).catch((error: unknown) => log.info({ error, threadId: thread.id }, 'a thread keeps its name'));
	};

	/** What a place that takes nothing means for the session and for this item. */
	const outcomeOf = async (
		session: IntakeSession,
		threadId: string,
		what: Exclude<ThreadPlace['kind'], 'open'>,
	): Promise<Shown> => {
		const reason = session.suspension?.reason;
		const isKnown =
			what === 'deleted' ? session.state === 'CANCELLED' : reason !== undefined && reason !== 'assistant_unavailable';
		const isOver = session.state === 'COMPLETE' || session.state === 'CANCELLED';
		if (!isKnown && !isOver) await watch.report(session.id, threadId, what);
		// An ended session has nobody who would wait for its last card.
		return what === 'deleted' || isOver ? { kind: 'dropped', reason: what } : { kind: 'later', afterMs: LATER_MS };
	};

	return async ({ item, session, sessionId }) => {
		const client = deps.client();
		if (!client?.isReady()) throw new Error('no discord session');
		const { intake, discord } = deps.settings();
		if (item.kind === 'notify_admin') {
			const t = createTranslate('en');
			const detail = `${inline(item.detail, 300)} (${sessionId})`;
			const content = `⚠️ ${t(`intake.admin.${item.code}`, { detail })}`;
			return postIn(client, intake.adminChannelId ?? discord.adminChannelId, item.id, { content });
		}
		if (item.kind === 'handoff') {
			const { packet } = item;
			const content = `\`${packet.label}\` ${inline(packet.body.display_name, 100)} (${packet.id})`;
			return postIn(client, item.channelId, item.id, { content, files: handoffFiles(packet) });
		}
		const place = session && discordPlace(session);
		if (session === undefined || place === undefined) return { kind: 'dropped', reason: 'deleted' };
		reader.note(session);
		const found = await findThread(client, place.threadId);
		metrics.count('discord_sends_total', { outcome: found.kind === 'open' ? 'intake' : `intake_${found.kind}` });
		if (found.kind !== 'open') return outcomeOf(session, place.threadId, found.kind);
		try {
			await show(item, session, found.thread);
			return { kind: 'shown' };
		} catch (error) {
			const what = placeFailure(error);
			if (what === undefined) throw error;
			return outcomeOf(session, place.threadId, what);
		}
	};
}
