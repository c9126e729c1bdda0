/** Work in order per key, keys side by side. A task's failure is its own: the next one still runs. */
export interface Lanes {
	run<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
	/** Resolves when everything started so far is done. */
	drain(): Promise<void>;
}

export function createLanes(): Lanes {
	const tails = new Map<string, Promise<unknown>>();
	return {
		run(key, task) {
			const before = tails.get(key) ?? Promise.resolve();
			const result = before.then(task, task);
			const tail = result
				.catch(() => {})
				.then(() => {
					if (tails.get(key) === tail) tails.delete(key);
				});
			tails.set(key, tail);
			return result;
		},
		async drain() {
			await Promise.all(tails.values());
		},
	};
}
