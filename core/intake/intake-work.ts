import type { Effect } from './effect.ts';
import type { IntakeEvent } from './event.ts';
import type { IntakeStore, LoadedSession } from './intake-store.ts';
import type { IntakeSession, NewSession } from './session.ts';

/** Effects that a worker carries out; all others are shown to people or only logged. */
export const WORK_EFFECTS = ['call_model', 'govern', 'deliver', 'audit'] as const;
export type WorkEffect = Extract<Effect, { kind: (typeof WORK_EFFECTS)[number] }>;

export function isWorkEffect(effect: Effect): effect is WorkEffect {
	return (WORK_EFFECTS as readonly string[]).includes(effect.kind);
}

/** The session and the oldest event that waits for it. */
export interface NextTurn {
	readonly loaded: LoadedSession;
	/** `event` undefined: it is damaged and can only be thrown away. */
	readonly entry: { readonly seq: number; readonly event: IntakeEvent | undefined } | undefined;
	/** Epoch ms at which time itself is due as an event. */
	readonly wakeAt: number | undefined;
	/** What can be known of a session whose state is damaged. */
	readonly remains: (NewSession & { readonly revision: number }) | undefined;
}

export interface TurnResult {
	/** `revision` equal to `expectedRevision`: nothing of the state changed. */
	readonly session: IntakeSession;
	readonly expectedRevision: number;
	readonly effects: readonly Effect[];
	/** Event that this step used up; absent for ticks. */
	readonly seq?: number;
}

/** `lost`: somebody else was faster, nothing was written, read again. `more`: written, and further events wait. */
export type Committed = 'lost' | 'done' | 'more';

/** What workers need beyond the store. Every method rejects when Redis cannot be reached. */
export interface IntakeWork extends IntakeStore {
	/**
	 * Stores a fresh session together with its first event. The same `onceId` again, or a thread that has a session, gives the
	 * session that is there.
	 */
	open(
		session: IntakeSession,
		first: IntakeEvent,
		onceId: string,
	): Promise<
		{ readonly kind: 'opened'; readonly seq: number } | { readonly kind: 'exists'; readonly sessionId: string }
	>;
	/** Puts an event at the end of the session's queue. */
	append(
		id: string,
		event: IntakeEvent,
	): Promise<{ readonly kind: 'appended'; readonly seq: number } | { readonly kind: 'duplicate' | 'unknown' }>;
	/** Whether no event up to `seq` waits any more. */
	isTaken(id: string, seq: number): Promise<boolean>;
	next(id: string): Promise<NextTurn>;
	/** State, effects and the used-up event in one step. */
	commit(turn: TurnResult): Promise<Committed>;
	/** Throws away the oldest event, if it still is this one: it is damaged. */
	skip(id: string, seq: number): Promise<void>;
	/**
	 * The effect, if it still is to be carried out and nobody has it in hand; it is this claim's for `ms`. `instead`: a claim
	 * of a worker known to be gone.
	 */
	claimEffect(id: string, effectId: string, claim: string, ms: number, instead?: string): Promise<ClaimedEffect>;
	/** Lets go of an effect so that it can be taken again after `ms`. */
	releaseEffect(id: string, effectId: string, ms: number): Promise<void>;
	/** Puts the outcome into the session's queue and forgets the effect, in one step. */
	settleEffect(id: string, effectId: string, outcome: IntakeEvent): Promise<void>;
	/** Effects that nobody took or whose worker may be gone; each is then left alone for `againInMs`. */
	idleEffects(
		now: number,
		limit: number,
		againInMs: number,
	): Promise<readonly { readonly sessionId: string; readonly effectId: string }[]>;
	/** Hears the ids of sessions that something was appended to or taken from, by any process; returns its remover. */
	onMove(listener: (sessionId: string) => void): () => Promise<void>;
}

export type ClaimedEffect =
	| { readonly kind: 'claimed'; readonly effect: WorkEffect; readonly session: IntakeSession }
	| { readonly kind: 'gone' }
	| { readonly kind: 'taken'; readonly by: string };
