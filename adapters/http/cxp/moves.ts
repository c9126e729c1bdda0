/** Waits for something to happen in a session, without asking Redis all the time. */
export interface Moves {
	/** Resolves when something happened in the session, after `ms` at the latest, or when `signal` aborts. */
	next(sessionId: string, ms: number, signal?: AbortSignal): Promise<void>;
	close(): Promise<void>;
}

export function createMoves(onMove: (listener: (sessionId: string) => void) => () => Promise<void>): Moves {
	const waiting = new Map<string, Set<() => void>>();
	let unhear: (() => Promise<void>) | undefined;
	let closed = false;
	return {
		next(sessionId, ms, signal) {
			if (closed || signal?.aborted) return Promise.resolve();
			unhear ??= onMove((id) => {
				for (const wake of [...(waiting.get(id) ?? [])]) wake();
			});
			return new Promise((resolve) => {
				const wakes = waiting.get(sessionId) ?? new Set();
				waiting.set(sessionId, wakes);
				const done = (): void => {
					clearTimeout(timer);
					signal?.removeEventListener('abort', done);
					wakes.delete(done);
					if (wakes.size === 0) waiting.delete(sessionId);
					resolve();
				};
				const timer = setTimeout(done, ms);
				signal?.addEventListener('abort', done);
				wakes.add(done);
			});
		},
		async close() {
			closed = true;
			for (const wakes of [...waiting.values()]) for (const wake of [...wakes]) wake();
			await unhear?.();
		},
	};
}
