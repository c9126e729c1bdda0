import type { StartRequest, StartResult } from './session-control.ts';

/** What one machine offers: where sessions may be started on it. */
export interface HostOffer {
	readonly host: string;
	/** Allowed folders, as configured there. */
	readonly directories: readonly string[];
	/** How it was last seen, epoch ms. */
	readonly seenAt: number;
}

/** Where people start sessions, from any process: the machine that offers the folder does it. Rights are asked for before. */
export interface StartDesk {
	/** Machines that answer now. Rejects with `RedisUnavailable`. */
	hosts(): Promise<readonly HostOffer[]>;
	/**
	 * Starts a session and waits until it answered or `signal` ends the wait. `requestId` makes a repeat harmless: the same id
	 * starts one session and gives its result again. No machine for the folder: refused, saying which folders there are.
	 */
	start(requestId: string, request: StartRequest, signal: AbortSignal): Promise<StartResult>;
}
