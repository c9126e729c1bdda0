import type { ConciergeMemory } from './concierge-memory.ts';
import type { ConciergeState } from './concierge-state.ts';
import type { FeedDraft, FeedEvent } from './feed-event.ts';
import type { InboxDraft, InboxItem } from './inbox-item.ts';
import type { Question } from './question.ts';
import type { CardRecord, PlaceRecord } from './records.ts';
import type { FleetSession } from './session.ts';
import type { Watch } from './watch.ts';

/** All methods of all stores reject with `RedisUnavailable` when the store cannot be reached in time. */

/** What ingest needs to apply reports to one session. */
export interface SessionView {
	/** Undefined when nobody reported it before. */
	readonly session: FleetSession | undefined;
	/** 0 for a session that does not exist. */
	readonly version: number;
	/** Its questions that are open or whose answer is still on the way, and those asked for. */
	readonly questions: readonly Question[];
	/** Which of the report ids asked about were taken already. */
	readonly known: ReadonlySet<string>;
	/** Taken from memory: whether reports are known and whether a question waits is only seen when the change is committed. */
	readonly isRecalled?: true;
}

/** One atomic step: all of it is written, or nothing. */
export interface SessionChange {
	readonly session: FleetSession;
	/** Version that it was computed from. */
	readonly version: number;
	/** Questions in their new form; each is one revision above the stored one (1 = new). */
	readonly questions: readonly Question[];
	readonly events: readonly FeedDraft[];
	/** Ids of reports that are hereby taken; remembered for at least a day. */
	readonly reportIds: readonly string[];
	/** Watches that fired with it; they are deleted. */
	readonly firedWatchIds?: readonly string[];
	/** Made from a recalled view: a `conflict` also when one of its reports was taken before, or a question of it waits. */
	readonly isRecalled?: true;
}

export type CommitResult =
	| { readonly kind: 'stored'; readonly lastSeq: number }
	/** Somebody wrote in between (session or question): load again. */
	| { readonly kind: 'conflict' }
	/** Another session has that name: choose another and try again. */
	| { readonly kind: 'name_taken' };

/** `reportIds` are the event ids about to be applied, of this source and host; `questionIds` those that they speak of. */
export interface SessionAsk {
	readonly id: string;
	readonly reportIds: readonly string[];
	readonly questionIds: readonly string[];
}

export interface SessionTable {
	load(id: string, reportIds: readonly string[], questionIds: readonly string[]): Promise<SessionView>;
	/**
	 * The view without asking the store, where this process wrote or read the session before and nothing in it waited for an answer.
	 * It may be outdated: `commit` then says so, and writes nothing.
	 */
	recall(ask: SessionAsk): SessionView | undefined;
	/** `load` for many at once, in the order asked for. */
	loadMany(asks: readonly SessionAsk[]): Promise<readonly SessionView[]>;
	commit(change: SessionChange): Promise<CommitResult>;
	/** Each change whole or not at all, in their order; one that does not come through holds up no other. */
	commitMany(changes: readonly SessionChange[]): Promise<readonly CommitResult[]>;
	/** The whole fleet, at most `limit`, newest change first, without the tails of its transcripts (`load` has them). */
	list(limit: number): Promise<readonly FleetSession[]>;
	/** Names in use, lower case, by session id. */
	names(): Promise<ReadonlyMap<string, string>>;
	/** Forgets a session, its questions, inbox and name; its events stay in the feed. */
	remove(id: string): Promise<void>;
}

/** Part of the feed after a cursor. */
export interface FeedPage {
	/** Oldest first. */
	readonly events: readonly FeedEvent[];
	/** Sequence number of the newest event of all; 0 for an empty feed. */
	readonly lastSeq: number;
	/** Events between the cursor and the oldest kept one: they are gone, and the reader must say so. */
	readonly missed: number;
}

/** What the scheduler asks about the events after a cursor, without their texts. */
export interface FeedFacts {
	readonly lastSeq: number;
	/** Events after the cursor that somebody else caused, missed ones included. */
	readonly foreign: number;
	/** When the first of those happened, epoch ms by our clock. */
	readonly firstForeignAt: number | undefined;
}

/** Append-only, bounded by count and age. A feed that came back empty starts above every number it ever gave, or at 1. */
export interface FeedStore {
	append(drafts: readonly FeedDraft[]): Promise<readonly FeedEvent[]>;
	read(after: number, limit: number): Promise<FeedPage>;
	/**
	 * Newest first, below `before` (absent: from the end), for the log. `missed` on the page that reaches the end: older events
	 * that are not kept any more.
	 */
	readBack(before: number | undefined, limit: number): Promise<FeedPage>;
	facts(after: number, ownId: string): Promise<FeedFacts>;
	/** Called soon after something was appended, by any process; a lost call costs one tick. Returns its remover. */
	onAppend(listener: () => void): () => Promise<void>;
}

export interface QuestionStore {
	read(id: string): Promise<Question | undefined>;
	/**
	 * Writes a question over revision `question.revision - 1`, with its feed events in the same step; false when somebody else
	 * was faster: read again.
	 */
	save(question: Question, events: readonly FeedDraft[]): Promise<boolean>;
	/** Open ones and those whose answer is on the way or failed, oldest first. */
	unsettled(limit: number): Promise<readonly Question[]>;
	bySession(sessionId: string): Promise<readonly Question[]>;
	/** Newest first, settled ones included, for the record. */
	recent(limit: number): Promise<readonly Question[]>;
	/** Called after any question changed, by any process, with its id; returns its remover. */
	onChange(listener: (questionId: string) => void): () => Promise<void>;
}

/** Things on their way into sessions; kept until acknowledged. */
export interface SessionInbox {
	/** `full` when too many wait already. */
	put(sessionId: string, draft: InboxDraft): Promise<{ kind: 'queued' | 'duplicate'; seq: number } | { kind: 'full' }>;
	/** Items after `after`, oldest first, waiting up to `waitMs` for the first one. */
	read(sessionId: string, after: number, limit: number, waitMs: number, signal: AbortSignal): Promise<InboxItem[]>;
	/** Drops everything up to `seq`; gives what was dropped by it just now, so that its delivery can be shown. */
	ack(sessionId: string, seq: number): Promise<InboxItem[]>;
	pending(sessionId: string): Promise<number>;
}

export interface ConciergeStore {
	/** `FRESH_CONCIERGE` at version 0 when nothing is stored. */
	read(): Promise<{ readonly state: ConciergeState; readonly version: number }>;
	/** Writes if nobody wrote since `version`. */
	commit(version: number, state: ConciergeState): Promise<boolean>;
}

/** One writer: the turn in flight. */
export interface MemoryStore {
	read(): Promise<ConciergeMemory>;
	write(memory: ConciergeMemory): Promise<void>;
	clear(): Promise<void>;
}

export interface WatchStore {
	/** `full` when too many are set. */
	put(watch: Watch): Promise<'set' | 'full'>;
	bySession(sessionId: string): Promise<readonly Watch[]>;
	list(): Promise<readonly Watch[]>;
	remove(id: string): Promise<void>;
}

/** Where things stand on Discord. */
export interface FleetPlaces {
	card(needId: string): Promise<CardRecord | undefined>;
	/** Every card of the last days, newest first. */
	cards(limit: number): Promise<readonly CardRecord[]>;
	writeCard(card: CardRecord): Promise<void>;
	place(sessionId: string): Promise<PlaceRecord | undefined>;
	byThread(threadId: string): Promise<PlaceRecord | undefined>;
	places(): Promise<readonly PlaceRecord[]>;
	writePlace(place: PlaceRecord): Promise<void>;
	/** Forgets where these sessions' threads stand; the threads themselves stay. */
	removePlaces(sessionIds: readonly string[]): Promise<void>;
	/** Number of the newest feed event that threads need nothing of any more; undefined when none was ever followed. */
	threadCursor(): Promise<number | undefined>;
	/** Moves it forward only. */
	moveThreadCursor(seq: number): Promise<void>;
	/** Message of the status line in the fleet channel, and its text as last written. */
	statusMessage(): Promise<
		{ readonly channelId: string; readonly messageId: string; readonly text: string } | undefined
	>;
	writeStatusMessage(message: { channelId: string; messageId: string; text: string }): Promise<void>;
}
