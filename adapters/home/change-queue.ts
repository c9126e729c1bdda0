import type { HomeChange } from '../../core/home/home-port.ts';
import type { DecodedEntity } from './entity-decoder.ts';
import type { Cause, OwnCalls } from './own-calls.ts';

export interface ChangeQueue {
	/** Tells the listeners now, or as soon as it is known who caused the change; order is kept. */
	push(entityId: string, before: DecodedEntity | undefined, after: DecodedEntity | undefined): void;
	onChange(listener: (change: HomeChange) => void): () => void;
	/** Forgets what is held back. */
	clear(): void;
}

export interface ChangeQueueDeps {
	readonly ownCalls: OwnCalls;
	readonly now: () => number;
	/** Longest time a change is held back for an answer that would explain it. */
	readonly holdMs: number;
	/** Called when a listener throws. */
	readonly onListenerError: (error: unknown) => void;
}

interface Held {
	readonly cause: Cause | undefined;
	readonly change: Omit<HomeChange, 'own'>;
	readonly until: number;
}

/**
 * Passes changes on with the mark whether we caused them. A change may arrive before the answer of the call that caused
 * it; then it waits, and those behind it wait too.
 */
export function createChangeQueue({ ownCalls, now, holdMs, onListenerError }: ChangeQueueDeps): ChangeQueue {
	const listeners = new Set<(change: HomeChange) => void>();
	let queue: Held[] = [];
	let timer: NodeJS.Timeout | undefined;

	function tell(change: HomeChange): void {
		for (const listener of [...listeners]) {
			try {
				listener(change);
			} catch (error) {
				onListenerError(error);
			}
		}
	}

	function isOwn({ cause, until }: Held): boolean | undefined {
		if (!cause) return false;
		const verdict = ownCalls.judge(cause);
		if (verdict !== 'undecided') return verdict === 'own';
		return now() >= until ? ownCalls.guess(cause) : undefined;
	}

	function drain(): void {
		clearTimeout(timer);
		timer = undefined;
		for (let head = queue[0]; head; head = queue[0]) {
			const own = isOwn(head);
			if (own === undefined) {
				timer = setTimeout(drain, Math.max(1, head.until - now()));
				return;
			}
			queue = queue.slice(1);
			tell({ ...head.change, own });
		}
	}

	ownCalls.onSettled(drain);
	return {
		push(entityId, before, after) {
			const cause = after && causeOf(after);
			const change = { entityId, ...(before && { before }), ...(after && { after }) };
			queue.push({ cause, change, until: now() + holdMs });
			if (queue.length === 1) drain();
		},
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		clear() {
			clearTimeout(timer);
			queue = [];
		},
	};
}

function causeOf({ entityId, contextId, contextParentId, contextUserId }: DecodedEntity): Cause {
	return {
		entityId,
		contextId,
		...(contextParentId !== undefined && { parentId: contextParentId }),
		...(contextUserId !== undefined && { userId: contextUserId }),
	};
}
