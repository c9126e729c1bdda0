import type { CallOutcome } from './call.ts';
import type { BudgetView } from './facts.ts';
import type { ToolFamily } from './tool-name.ts';

/** Cooldowns and action budget of rooms, shared by all processes and kept over restarts. Times are epoch ms. */
export interface Ledger {
	read(
		roomId: string,
		now: number,
	): Promise<{ readyAt: Partial<Record<ToolFamily, number>>; budget: BudgetView; running: ToolFamily[] }>;
	/**
	 * Books one attempt in a single step: fails when the family is cooling down or running, or the budget is spent; else
	 * starts the cooldown, spends one unit (when `spend`) and marks the family running until `runningUntil`. Without that
	 * the call runs beside others of its family: it neither minds one that runs nor holds one up.
	 */
	attempt(request: {
		roomId: string;
		family: ToolFamily;
		callId: string;
		now: number;
		cooldownMs: number;
		/** Cooldown is neither checked nor needed (a direct answer), but still started. */
		ignoreCooldown: boolean;
		spend: boolean;
		limits: { perMinute: number; perHour: number };
		runningUntil?: number | undefined;
	}): Promise<{ ok: true } | { ok: false; reason: 'cooldown' | 'rate_limit' | 'busy'; freeAt: number }>;
	/** The family is not running any more (only if `callId` still holds it). */
	release(roomId: string, family: ToolFamily, callId: string): Promise<void>;
}

export type ClaimState =
	/** This process may act now, nobody else ever may. */
	| { readonly kind: 'won' }
	/** Somebody finished it: here is what came of it. */
	| { readonly kind: 'done'; readonly outcome: CallOutcome }
	/** Somebody (`owner`, where known) began and did not finish: whether it happened is not known. Never act. */
	| { readonly kind: 'in_doubt'; readonly since: number; readonly owner?: string };

/** At-most-once guard around every side effect. Claims outlive restarts by days. */
export interface Claims {
	/** `owner` is the process that would act; it is told to whoever finds the claim open. */
	claim(callId: string, now: number, owner?: string): Promise<ClaimState>;
	settle(callId: string, outcome: CallOutcome): Promise<void>;
	outcome(callId: string): Promise<CallOutcome | undefined>;
	/** Waits until the call is settled, at most `deadlineMs`; undefined when it is not by then. */
	waitForOutcome(callId: string, deadlineMs: number, signal?: AbortSignal): Promise<CallOutcome | undefined>;
}
