import type { PendingDecision } from './trigger.ts';

/** What the gate of one room remembers. Written only by gate commits and by taking and finishing decisions. */
export interface GateState {
	/** Highest sequence numbers that a decision has consumed or the gate has passed over. */
	readonly messageCursor: number;
	readonly eventCursor: number;
	/** Waits for the decision worker; later triggers are merged into it. */
	readonly pending?: PendingDecision;
	/** What came in while `pending` is a decision that is run again and can take nothing more. */
	readonly later?: PendingDecision;
	/**
	 * One at a time. After `deadlineAt` (epoch ms), or once the process that runs it is gone, it counts as dead and is run
	 * again under the same id.
	 */
	readonly inFlight?: {
		readonly decision: PendingDecision;
		readonly startedAt: number;
		readonly deadlineAt: number;
		/** Process that took it. */
		readonly worker?: string;
	};
	readonly lastModelAt: number;
	readonly lastHumanAt: number;
	/** First look at the room; heartbeats of a room that never decided count from here. */
	readonly openedAt?: number;
	/** When talk last changed its topic, so that one change is told once. */
	readonly topicAt?: number;
	/** Failed model calls in a row, and until when heartbeats and other unasked triggers wait. */
	readonly failures: number;
	readonly backoffUntil: number;
	/** The gate's last word, for the panel: what it held for, or what it opened for. */
	readonly lastHold?: { readonly at: number; readonly reason: string };
	readonly lastTrigger?: { readonly at: number; readonly trigger: string; readonly note: string };
}

export const FRESH_GATE: GateState = {
	messageCursor: 0,
	eventCursor: 0,
	lastModelAt: 0,
	lastHumanAt: 0,
	failures: 0,
	backoffUntil: 0,
};
