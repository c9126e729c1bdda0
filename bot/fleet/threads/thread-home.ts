import {
	type AnyThreadChannel,
	ChannelType,
	type GuildTextBasedChannel,
	type TextChannel,
	ThreadAutoArchiveDuration,
} from 'discord.js';
import type { PlaceRecord } from '../../../core/fleet/records.ts';
import type { FleetSession } from '../../../core/fleet/session.ts';
import { threadTitle } from '../../../core/fleet/thread-view.ts';
import { toDiscordFailure } from '../../discord-failure.ts';
import { findThread } from '../../intake/thread-place.ts';
import { createLanes } from '../../lanes.ts';
import { nonceOf } from '../../relay/outgoing.ts';
import { toPayload, type View } from '../../views/view.ts';
import type { FleetDeps } from '../fleet-deps.ts';
import { type FleetPlace, isMessageGone } from '../fleet-place.ts';
import { headerView } from './header-view.ts';

/** Threads of sessions, each with its header on top. */
export interface ThreadHome {
	/**
	 * The session's thread, made when it has none or when people deleted it. Undefined when there is no such session or no
	 * thread can be made. Rejects when Discord or the store is away.
	 */
	open(sessionId: string): Promise<AnyThreadChannel | undefined>;
	/** The thread as it stands; undefined when there is none. */
	find(sessionId: string): Promise<AnyThreadChannel | undefined>;
	/** Session of a thread. */
	sessionOf(threadId: string): Promise<string | undefined>;
	/** Brings the header up to date when its channel may be edited; nothing is done without a thread or without a change. */
	refresh(sessionId: string): Promise<void>;
}

/** A header that does not say how its session is by now. */
interface StaleHeader {
	readonly record: PlaceRecord & { readonly headerMessageId: string };
	readonly view: ReturnType<typeof headerView>;
	readonly thread: AnyThreadChannel;
	/** Where its message stands. */
	readonly where: GuildTextBasedChannel;
}

const KNOWN_MAX = 5_000;
/** After a restart every header is looked at. */
const LOOKS_AT_ONCE = 4;

export function createThreadHome(deps: FleetDeps & { readonly place: FleetPlace }): ThreadHome {
	const { ports, place, clock, log, metrics } = deps;
	const lanes = createLanes();
	const looks = createLanes();
	let looked = 0;
	/** Sessions of threads; one that was once noted never changes. */
	const known = new Map<string, string>();

	const viewOf = async (session: FleetSession) => {
		const questions = await ports.questions.bySession(session.id);
		const { timeZone } = deps.settings().fleet;
		return headerView({ session, questions, now: clock.now(), timeZone }, place.language());
	};

	const read = async (sessionId: string) => (await ports.sessions.load(sessionId, [], [])).session;

	const find = async (sessionId: string) => {
		const client = deps.client();
		const record = await ports.places.place(sessionId);
		if (record === undefined || !client?.isReady()) return undefined;
		const found = await findThread(client, record.threadId);
		return found.kind === 'open' || found.kind === 'locked' ? found.thread : undefined;
	};

	/** The header stands in the channel and the thread hangs on it, so that two processes make one thread between them. */
	const make = async (session: FleetSession, before: PlaceRecord | undefined) => {
		const channel = await place.channel();
		if (channel?.type !== ChannelType.GuildText) return undefined;
		const view = await viewOf(session);
		const header = await postHeader(channel, view, `fleet-thread:${session.id}:${before?.threadId ?? ''}`);
		if (header === undefined) return undefined;
		try {
			const thread = await hang(channel, header.id, threadTitle(session));
			known.set(thread.id, session.id);
			await ports.places.writePlace({
				sessionId: session.id,
				threadId: thread.id,
				headerMessageId: header.id,
				headerText: view.content,
			});
			metrics.count('discord_panel_writes_total', { kind: 'post' });
			log.info({ sessionId: session.id, threadId: thread.id }, 'a session has its thread');
			return thread;
		} catch (error) {
			if (!toDiscordFailure(error).isPermanent) throw error;
			deps.onWarning(
				'fleet:no-thread',
				'Threads of sessions cannot be opened in the fleet channel. Repair: give my role View Channel, Send Messages, Create Public Threads and Send Messages in Threads there.',
			);
			log.warn({ error, sessionId: session.id }, 'a session gets no thread');
			return undefined;
		}
	};

	/** Undefined when the whole channel is closed to us. */
	const postHeader = async (channel: TextChannel, view: View, onceId: string) => {
		try {
			return await channel.send({ ...toPayload(view), nonce: nonceOf(onceId, 0), enforceNonce: true });
		} catch (error) {
			if (place.isClosedBy(channel.id, error)) return undefined;
			throw error;
		}
	};

	const hang = async (channel: TextChannel, headerId: string, name: string): Promise<AnyThreadChannel> => {
		try {
			const options = { name, autoArchiveDuration: ThreadAutoArchiveDuration.ThreeDays };
			return await channel.threads.create({ ...options, startMessage: headerId });
		} catch (error) {
			const isThere = toDiscordFailure(error).code === 160_004;
			const standing = isThere ? await channel.client.channels.fetch(headerId) : null;
			if (standing?.isThread()) return standing;
			// Without its thread the header would only be in the way.
			if (toDiscordFailure(error).isPermanent) await channel.messages.delete(headerId).catch(() => {});
			throw error;
		}
	};

	const staleHeader = async (sessionId: string): Promise<StaleHeader | undefined> => {
		const record = await ports.places.place(sessionId);
		const session = record === undefined ? undefined : await read(sessionId);
		const client = deps.client();
		if (record === undefined || session === undefined || !client?.isReady()) return undefined;
		const view = await viewOf(session);
		const { headerMessageId } = record;
		if (record.headerText === view.content || headerMessageId === undefined) return undefined;
		const inChannel = headerMessageId === record.threadId;
		const thread = await client.channels.fetch(record.threadId).catch((error: unknown) => {
			if (toDiscordFailure(error).isPermanent) return null;
			throw error;
		});
		if (!thread?.isThread()) return undefined;
		const where = inChannel ? thread.parent : thread;
		return where?.isTextBased() ? { record: { ...record, headerMessageId }, view, thread, where } : undefined;
	};

	const edit = async ({ record, view, thread, where }: StaleHeader) => {
		const { files: _, ...payload } = toPayload(view);
		try {
			await where.messages.edit(record.headerMessageId, payload);
			await ports.places.writePlace({ ...record, headerText: view.content });
			metrics.count('discord_panel_writes_total', { kind: 'edit' });
		} catch (error) {
			if (isMessageGone(error) && thread.archived !== true && thread.locked !== true) {
				// Somebody deleted it; the thread itself goes on without it, so it gets one inside.
				const header = await thread.send({
					...toPayload(view),
					nonce: nonceOf(`fleet-header:${record.headerMessageId}`, 0),
					enforceNonce: true,
				});
				await ports.places.writePlace({ ...record, headerMessageId: header.id, headerText: view.content });
				return;
			}
			if (!toDiscordFailure(error).isPermanent) throw error;
			log.info({ error, sessionId: record.sessionId }, 'a header stays as it is');
		}
	};

	return {
		find,
		open: (sessionId) =>
			lanes.run(sessionId, async () => {
				const [record, session] = await Promise.all([ports.places.place(sessionId), read(sessionId)]);
				if (!deps.client()?.isReady()) throw new Error('no discord session');
				const standing = record === undefined ? undefined : await find(sessionId);
				if (standing !== undefined) return standing;
				return session === undefined ? undefined : make(session, record);
			}),
		async sessionOf(threadId) {
			const sessionId = known.get(threadId) ?? (await ports.places.byThread(threadId))?.sessionId;
			if (sessionId === undefined) return undefined;
			if (known.size >= KNOWN_MAX) known.clear();
			known.set(threadId, sessionId);
			return sessionId;
		},
		async refresh(sessionId) {
			looked = (looked + 1) % LOOKS_AT_ONCE;
			const stale = await looks.run(String(looked), () => staleHeader(sessionId));
			if (stale === undefined) return;
			// What the session says needs the same lane, and must not wait for the header's turn.
			await deps.edits.edit(stale.where.id, `header ${stale.record.headerMessageId}`, () =>
				lanes.run(sessionId, async () => {
					const header = await staleHeader(sessionId);
					if (header === undefined) return false;
					return edit(header);
				}),
			);
		},
	};
}
