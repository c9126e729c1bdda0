import type { ChatMessage, NumberedMessage } from '../chat/message.ts';
import type { GateState } from './gate-state.ts';
import type { NumberedEvent, WorldEvent } from './trigger.ts';

/** One room as stored, read in one call. `messages` and `events` are the newest, oldest first, bounded. */
export interface RoomSnapshot {
	readonly roomId: string;
	/** Grows with every write of `gate`; a commit names the version that it was computed from. */
	readonly version: number;
	readonly gate: GateState;
	readonly messages: readonly NumberedMessage[];
	readonly events: readonly NumberedEvent[];
	/** Home Assistant contexts of our own calls in the last minutes. */
	readonly ownContexts: readonly string[];
	/** Transcript lines before this epoch ms are not shown to the model (an admin cleared the context). */
	readonly contextResetAt: number;
}

/** The newest line and event that a judgement knew of. */
export interface SeenSeqs {
	readonly messageSeq: number;
	readonly eventSeq: number;
}

export function seenOf(snapshot: RoomSnapshot): SeenSeqs {
	return { messageSeq: snapshot.messages.at(-1)?.seq ?? 0, eventSeq: snapshot.events.at(-1)?.seq ?? 0 };
}

/** State of rooms. Every method rejects with `RedisUnavailable` when the store cannot be reached in time. */
export interface RoomStore {
	/** Adds a line to the transcript and marks the room due; false when the id is already there. */
	addMessage(message: ChatMessage): Promise<boolean>;
	/** Adds a world event and marks the room due; false when the id is already there. */
	addEvent(roomId: string, event: WorldEvent): Promise<boolean>;
	read(roomId: string, limits: { messages: number; events: number }): Promise<RoomSnapshot>;
	/**
	 * Stores the gate state if nobody wrote since `version`; tells whether it did. `dueAt` re-schedules the next look, unless
	 * something came in after what was `seen` (the gate's cursors when absent): then the room stays due.
	 */
	commit(roomId: string, version: number, gate: GateState, dueAt: number, seen?: SeenSeqs): Promise<boolean>;
	/** Rooms of a bucket whose next look is due, soonest first. */
	due(bucket: number, now: number, limit: number): Promise<string[]>;
	markDue(roomId: string, at: number): Promise<void>;
	/** Remembers a context of our own for a few minutes, so that its echoes wake nobody. */
	addOwnContext(roomId: string, contextId: string): Promise<void>;
	resetContext(roomId: string, at: number): Promise<void>;
}

/** Rooms are spread over this many leases. */
export const GATE_BUCKETS = 64;
