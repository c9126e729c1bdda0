import type { Runtime, Stage } from '../../config/overseer.ts';
import type { ModelReply } from '../model/model-port.ts';
import type { LightsLock, SiteMode, SitePolicy } from './site.ts';
import type { RoverView } from './world.ts';

/** Exactly three one-line notes a room; an empty slot is an empty text. */
export type MemorySlots = readonly [string, string, string];

export interface MemoryStore {
	read(roomId: string): Promise<MemorySlots>;
	write(roomId: string, slot: 1 | 2 | 3, text: string): Promise<void>;
	clear(roomId: string): Promise<void>;
}

export interface SiteStore {
	read(): Promise<SitePolicy>;
	setMode(mode: SiteMode): Promise<void>;
	setLightsLock(lock: LightsLock): Promise<void>;
	setPaused(paused: boolean): Promise<void>;
	/** Hears every change made by any process; returns its remover. */
	onChange(listener: (policy: SitePolicy) => void): () => Promise<void>;
}

/** What commands changed on top of the configuration file; absent = as configured. */
export interface Overrides {
	readonly stage?: Stage;
	readonly runtime?: Runtime;
}

export interface OverrideStore {
	read(roomId: string): Promise<Overrides>;
	set(roomId: string, change: Overrides): Promise<void>;
}

/** `yes` is what an active person counts as until they say otherwise. */
export type Vote = 'yes' | 'no';

export interface VoteStore {
	read(roomId: string): Promise<Readonly<Record<string, Vote>>>;
	/** `undefined` takes the vote back. */
	set(roomId: string, personId: string, vote: Vote | undefined): Promise<void>;
}

/**
 * What a decision must find again when it is run a second time: replies of the model (so that it reads instead of asking
 * anew) and small notes such as the world it was made on. Kept for a week.
 */
export interface DecisionJournal {
	reply(decisionId: string, step: number): Promise<ModelReply | undefined>;
	keepReply(decisionId: string, step: number, reply: ModelReply): Promise<void>;
	/** Any JSON value under a name; undefined when nothing was kept. The reader checks its shape. */
	note(decisionId: string, name: string): Promise<unknown>;
	keepNote(decisionId: string, name: string, value: unknown): Promise<void>;
}

/** Live panel data by room; `status` is the versioned document of `core/overseer/status.ts`. */
export interface StatusStore<Status> {
	read(roomId: string): Promise<Status | undefined>;
	write(roomId: string, status: Status): Promise<void>;
	/** Hears the ids of rooms whose status was written, by any process; returns its remover. */
	onWrite(listener: (roomId: string) => void): () => Promise<void>;
}

/** Rover states that came over HTTP rather than from Home Assistant. */
export interface RoverReports {
	read(roomId: string): Promise<readonly RoverView[]>;
	write(roomId: string, rover: RoverView, at: number): Promise<void>;
}

/** A named right that one process holds at a time and must renew. */
export interface Leases {
	/** Takes or renews; false while somebody else holds it. */
	hold(name: string, ms: number): Promise<boolean>;
	/** Whether anybody holds it now. */
	isHeld(name: string): Promise<boolean>;
	release(name: string): Promise<void>;
}

/** Tells which worker processes are alive, so that nobody waits for what a dead one had in hand. */
export interface WorkerLives {
	/** Name of this process, new at each start. */
	readonly self: string;
	/** True when that process has not been heard of for longer than a living one ever keeps silent. */
	isGone(worker: string): Promise<boolean>;
}

/** Discord message ids handled once across redeliveries, restarts and processes. */
export interface MessageClaims {
	/** True for the first to ask. */
	claim(messageId: string): Promise<boolean>;
	/** Handling failed before it had any effect: let it come again. */
	release(messageId: string): Promise<void>;
	lastHandled(channelId: string): Promise<string | undefined>;
	/**
	 * The first message that this store ever noted of a channel. Older ones were handled before it knew anything: it was new
	 * then, or had lost all it had.
	 */
	firstHandled(channelId: string): Promise<string | undefined>;
	/** Moves the mark forward only. */
	markHandled(channelId: string, messageId: string): Promise<void>;
}

/** Tells the process that watches a room to look at once; a nudge that is lost costs one tick. */
export interface RoomNudges {
	send(roomId: string): Promise<void>;
	onNudge(listener: (roomId: string) => void): () => Promise<void>;
}

/** Lets something happen at most once in a while, over all processes. */
export interface Throttle {
	/** True for the first to ask within `ms`. */
	once(name: string, ms: number): Promise<boolean>;
}

/** The last move that was asked of a room's lift: some lifts report no position, then this is all there is. */
export interface LiftCommands {
	read(roomId: string): Promise<{ readonly direction: 'up' | 'down'; readonly at: number } | undefined>;
	write(roomId: string, command: { readonly direction: 'up' | 'down'; readonly at: number }): Promise<void>;
}
