import type { InboxItem } from './inbox-item.ts';
import type { ReportOrigin, SessionReport } from './report.ts';
import type { DeliveryResult } from './session-control.ts';

/** What became of the reports of one session. */
export interface TakenReports {
	readonly sessionId: string;
	readonly nativeId: string;
	readonly name: string;
	/** Highest number of a report seen: a reporter that returns goes on from here. */
	readonly lastReport: number;
	/** Nobody knew it before: a reporter that has long been at it reports anew what is still open. */
	readonly isNew: boolean;
	/** Ids that changed something now; the others of the batch were known already. */
	readonly taken: readonly string[];
}

/** Where reports of every source come in. */
export interface ReportDesk {
	/**
	 * Applies reports, each session's in one step. Sending the same ones again is harmless: what was stored is known by its
	 * id. Rejects with `RedisUnavailable`, and with `ReportConflict` when one session is written all the time.
	 */
	take(origin: ReportOrigin, reports: readonly SessionReport[]): Promise<readonly TakenReports[]>;
}

/** The way out of an inbox, for the host that a session runs on. Undefined: that host has no such session. */
export interface InboxDesk {
	read(
		host: string,
		sessionId: string,
		after: number,
		waitMs: number,
		signal: AbortSignal,
	): Promise<readonly InboxItem[] | undefined>;
	/** The session has everything up to `seq`. Gives how many that were. Safe to repeat. */
	ack(host: string, sessionId: string, seq: number): Promise<number | undefined>;
	/** One item could not be handed to the agent; an answer then shows as failed with this reason. Acknowledge it afterwards. */
	refuse(host: string, sessionId: string, itemId: string, result: DeliveryResult): Promise<boolean | undefined>;
}
