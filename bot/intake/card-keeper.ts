import { createHash } from 'node:crypto';
import type { AnyThreadChannel, Client } from 'discord.js';
import type { IntakeSession } from '../../core/intake/session.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import type { BotSettings } from '../deps.ts';
import { toDiscordFailure } from '../discord-failure.ts';
import { EditDropped, type EditPace } from '../edit-pace.ts';
import { createLanes } from '../lanes.ts';
import { nonceOf } from '../relay/outgoing.ts';
import { toPayload, type View } from '../views/view.ts';
import type { CardMemory, CardRecord } from './intake-ports.ts';
import type { SessionReader } from './session-reader.ts';
import { discordPlace, findThread, placeFailure } from './thread-place.ts';
import { cardNames, intakeCards, type WantedCard } from './views/intake-cards.ts';

export interface CardKeeperDeps {
	readonly client: () => Client | undefined;
	readonly settings: () => BotSettings;
	readonly memory: CardMemory;
	readonly reader: SessionReader;
	readonly edits: EditPace;
	/** Between two looks at one session that nobody asked for. */
	readonly minGapMs?: number;
	readonly clock: Clock;
	readonly log: Log;
	readonly metrics: Metrics;
}

/** Keeps the cards of every session as its state says: posted once, edited in place, made anew when they are gone. */
export interface CardKeeper {
	/** Brings all cards of a state up to date. Rejects with what Discord refused, so that it is tried again. */
	show(session: IntakeSession, thread: AnyThreadChannel): Promise<void>;
	/** Something changed: what stands already is brought up to date soon, nothing new is posted. */
	touch(sessionId: string): void;
	/** The same once more later, counted from the last such call: when the state will have moved on by itself. */
	touchLater(sessionId: string, afterMs: number): void;
	/** Message of a card, for links. */
	messageOf(sessionId: string, card: string): Promise<string | undefined>;
	forget(session: IntakeSession): Promise<void>;
	stop(): Promise<void>;
}

const MIN_GAP_MS = 1_000;
/** Discord's own codes that mean: this message cannot be edited, another one can be posted. */
const NOT_EDITABLE = [10_008, 30_046];

export function createCardKeeper(deps: CardKeeperDeps): CardKeeper {
	const { memory, reader, clock, log, metrics } = deps;
	const lanes = createLanes();
	const timers = new Map<string, NodeJS.Timeout>();
	const lookedAt = new Map<string, number>();
	let isStopped = false;

	const recordsOf = async (session: IntakeSession) => {
		const found = await Promise.all(
			cardNames(session).map(async (name) => [name, await memory.get(session.id, name)] as const),
		);
		return new Map(found.flatMap(([name, record]) => (record === undefined ? [] : [[name, record] as const])));
	};

	const wantedCards = (session: IntakeSession, records: ReadonlyMap<string, CardRecord>) => {
		const { intake, discord } = deps.settings();
		const cards = new Map([...records].map(([name, record]) => [name, record.messageId]));
		return intakeCards(session, intake, { cards, readsEverything: discord.messageContent });
	};

	/** Posts what is new, and then gives the names of those that stand and are behind. */
	const postNew = async (session: IntakeSession, thread: AnyThreadChannel, mayPost: boolean): Promise<string[]> => {
		lookedAt.set(session.id, clock.now());
		const records = await recordsOf(session);
		// First what is new: posting opens an archived thread again, and links need the cards they lead to.
		for (const card of wantedCards(session, records)) {
			if (records.has(card.name) || card.isOld || !mayPost) continue;
			records.set(card.name, await post(session.id, thread, card));
		}
		return wantedCards(session, records).flatMap((card) => (isBehind(card, records) ? [card.name] : []));
	};

	/** Cards wait for their turn outside of the session's lane, and then show how it stands by then. */
	const bringUp = async (given: IntakeSession, thread: AnyThreadChannel, mayPost: boolean) => {
		const behind = await lanes.run(given.id, () => postNew(given, thread, mayPost));
		const editNow = async (name: string): Promise<boolean> => {
			const read = await reader.read(given.id);
			const session = typeof read === 'string' ? given : read;
			const records = await recordsOf(session);
			const card = wantedCards(session, records).find((one) => one.name === name);
			const record = records.get(name);
			if (card === undefined || record === undefined || !isBehind(card, records)) return false;
			await edit(session.id, thread, card, record, mayPost);
			return true;
		};
		const inTurn = (name: string) =>
			deps.edits.edit(thread.id, `${given.id} ${name}`, () => lanes.run(given.id, () => editNow(name)));
		const failed = (await Promise.allSettled(behind.map(inTurn))).find((one) => one.status === 'rejected');
		if (failed !== undefined) throw failed.reason;
	};

	const post = async (sessionId: string, thread: AnyThreadChannel, card: WantedCard): Promise<CardRecord> => {
		const standing = await findStanding(thread, card.view);
		const message =
			standing ??
			(await thread.send({
				...toPayload(card.view),
				nonce: nonceOf(`${sessionId}:${card.name}`, 0),
				enforceNonce: true,
			}));
		const record = { messageId: message.id, hash: standing === undefined ? hashOf(card.view) : '' };
		await memory.set(sessionId, card.name, record);
		metrics.count('discord_panel_writes_total', { kind: 'post' });
		return record;
	};

	const edit = async (
		sessionId: string,
		thread: AnyThreadChannel,
		card: WantedCard,
		record: CardRecord,
		mayPost: boolean,
	) => {
		const { files, ...payload } = toPayload(card.view);
		try {
			// Files stay as they were posted, unless the card has none any more.
			await thread.messages.edit(record.messageId, { ...payload, ...(files.length === 0 ? { attachments: [] } : {}) });
			await memory.set(sessionId, card.name, { messageId: record.messageId, hash: hashOf(card.view) });
			metrics.count('discord_panel_writes_total', { kind: 'edit' });
		} catch (error) {
			const { code, reason, isPermanent } = toDiscordFailure(error);
			if (NOT_EDITABLE.includes(code)) {
				await memory.set(sessionId, card.name, undefined);
				if (!card.isOld && mayPost) await post(sessionId, thread, card);
				return;
			}
			// An archived thread refuses edits and nothing is lost by that: the next card opens it again.
			if (reason === 'locked' && thread.locked !== true) return;
			if (isPermanent && placeFailure(error) === undefined) {
				log.warn({ error, sessionId, card: card.name }, 'a card could not be edited');
				return;
			}
			throw error;
		}
	};

	const look = async (sessionId: string) => {
		const client = deps.client();
		if (isStopped || client === undefined) return;
		const session = await reader.read(sessionId);
		if (typeof session === 'string') return;
		const place = discordPlace(session);
		if (place === undefined) return;
		const found = await findThread(client, place.threadId);
		if (found.kind === 'open') await bringUp(session, found.thread, false);
	};

	const lookAfter = (key: string, sessionId: string, afterMs: number) => {
		clearTimeout(timers.get(key));
		const timer = setTimeout(() => {
			timers.delete(key);
			look(sessionId).catch((error: unknown) => {
				if (!(error instanceof EditDropped))
					log.warn({ error, sessionId }, 'the cards could not be brought up to date');
			});
		}, afterMs);
		timers.set(key, timer);
	};

	return {
		show: (session, thread) => bringUp(session, thread, true),
		touch(sessionId) {
			if (isStopped || timers.has(`${sessionId}:soon`)) return;
			const gap = (lookedAt.get(sessionId) ?? 0) + (deps.minGapMs ?? MIN_GAP_MS) - clock.now();
			lookAfter(`${sessionId}:soon`, sessionId, Math.max(0, gap));
		},
		touchLater(sessionId, afterMs) {
			if (!isStopped) lookAfter(`${sessionId}:later`, sessionId, afterMs);
		},
		messageOf: async (sessionId, card) => (await memory.get(sessionId, card))?.messageId,
		async forget(session) {
			lookedAt.delete(session.id);
			await Promise.all(cardNames(session).map((name) => memory.set(session.id, name, undefined)));
		},
		async stop() {
			isStopped = true;
			for (const timer of timers.values()) clearTimeout(timer);
			await lanes.drain();
		},
	};
}

/** A card of ours that was posted before and not noted down, because a process ended in between. */
async function findStanding(thread: AnyThreadChannel, view: View) {
	const footer = view.embeds?.[0]?.footer?.text;
	const title = view.embeds?.[0]?.title;
	const recent = await thread.messages.fetch({ limit: 50, cache: false }).catch((error: unknown) => {
		// Without the right to read history there is nothing to look through; the nonce still prevents most doubles.
		if (toDiscordFailure(error).reason === 'forbidden') return undefined;
		throw error;
	});
	return recent?.find(
		({ author, embeds }) =>
			author.id === thread.client.user.id &&
			footer !== undefined &&
			embeds[0]?.footer?.text === footer &&
			embeds[0]?.title === title,
	);
}

function isBehind(card: WantedCard, records: ReadonlyMap<string, CardRecord>): boolean {
	const record = records.get(card.name);
	return record !== undefined && record.hash !== hashOf(card.view);
}

/** Of what a card shows; its files belong to the version that was posted. */
function hashOf({ content, embeds, components }: View): string {
	return createHash('sha256').update(JSON.stringify({ content, embeds, components })).digest('hex').slice(0, 24);
}
