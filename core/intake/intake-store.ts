import type { Effect } from './effect.ts';
import type { IntakeSession, IntakeState } from './session.ts';

/** What may be listed without opening the conversation. */
export interface IntakeSummary {
	readonly id: string;
	readonly requesterId: string;
	readonly state: IntakeState;
	readonly roundCount: number;
	readonly createdAt: number;
	readonly updatedAt: number;
	/** Epoch ms at which the conversation is deleted; undefined while the session lives. */
	readonly deleteAt: number | undefined;
	readonly threadId: string | undefined;
}

export type LoadedSession =
	| { readonly kind: 'found'; readonly session: IntakeSession }
	| { readonly kind: 'missing' }
	/** The newest copy was damaged; this is the last good one. Report E15. */
	| { readonly kind: 'recovered'; readonly session: IntakeSession }
	/** Nothing readable is left. Report E15 and close honestly. */
	| { readonly kind: 'corrupt' };

/** Sessions at rest. Conversation is encrypted by the adapter. Every method rejects when the store cannot be reached. */
export interface IntakeStore {
	/** False when the id is taken. */
	create(session: IntakeSession, effects: readonly Effect[]): Promise<boolean>;
	load(id: string): Promise<LoadedSession>;
	/**
	 * Writes state and effects in one atomic step, if the stored revision still is `expectedRevision`; false otherwise (load
	 * again and redo the step). `log` and `audit` effects are not kept here.
	 */
	save(session: IntakeSession, expectedRevision: number, effects: readonly Effect[]): Promise<boolean>;
	/** Effects not yet acknowledged, oldest first; those of a crashed process show up here. */
	pendingEffects(id: string): Promise<readonly Effect[]>;
	ackEffect(id: string, effectId: string): Promise<void>;
	/** Sessions whose `wakeAt` has come. */
	due(now: number, limit: number): Promise<readonly string[]>;
	/** Session that lives in a Discord thread. */
	byThread(threadId: string): Promise<string | undefined>;
	list(filter: {
		readonly requesterId?: string;
		readonly states?: readonly IntakeState[];
		readonly limit: number;
	}): Promise<readonly IntakeSummary[]>;
	/** Keeps the conversation of a finished session until then. Whether it may be is the caller's check. */
	keep(id: string, until: number): Promise<boolean>;
	/** Everything stored about it, as JSON for its requester. */
	exportAll(id: string): Promise<unknown>;
	/** Leaves nothing behind but the audit rows, which hold no conversation. */
	delete(id: string): Promise<boolean>;
	/** Deletes what is past its time; gives the ids. */
	purge(now: number): Promise<readonly string[]>;
}
