import type { EntityState } from '../../core/home/entity.ts';

export interface StateWaiters {
	/** Resolves with the first fitting state, or undefined after `deadlineMs`, on abort or on close. */
	wait(
		entityId: string,
		predicate: (state: EntityState) => boolean,
		deadlineMs: number,
		signal?: AbortSignal,
	): Promise<EntityState | undefined>;
	/** Shows a new state to those who wait for it. */
	show(state: EntityState): void;
	close(): void;
}

interface Waiter {
	readonly entityId: string;
	/** Settles when the state fits. */
	readonly offer: (state: EntityState) => void;
	readonly end: () => void;
}

export function createStateWaiters(current: (entityId: string) => EntityState | undefined): StateWaiters {
	const waiters = new Set<Waiter>();
	return {
		wait(entityId, predicate, deadlineMs, signal) {
			return new Promise((resolve, reject) => {
				const finish = (settle: () => void) => {
					clearTimeout(timer);
					signal?.removeEventListener('abort', waiter.end);
					waiters.delete(waiter);
					settle();
				};
				const waiter: Waiter = {
					entityId,
					offer(state) {
						try {
							if (predicate(state)) finish(() => resolve(state));
						} catch (error) {
							finish(() => reject(error));
						}
					},
					end: () => finish(() => resolve(undefined)),
				};
				const timer = setTimeout(waiter.end, Math.max(0, deadlineMs));
				waiters.add(waiter);
				signal?.addEventListener('abort', waiter.end);
				const present = current(entityId);
				if (signal?.aborted) waiter.end();
				else if (present) waiter.offer(present);
			});
		},
		show(state) {
			for (const waiter of [...waiters]) if (waiter.entityId === state.entityId) waiter.offer(state);
		},
		close() {
			for (const waiter of [...waiters]) waiter.end();
		},
	};
}
