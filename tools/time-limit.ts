export type Limited<Value> =
	| { readonly kind: 'value'; readonly value: Value }
	| { readonly kind: 'error'; readonly error: unknown }
	| { readonly kind: 'late' };

/**
 * Runs something under a time limit. Its signal fires when the limit is over or the outer signal fires; a run that does
 * not listen is left behind then, and whatever it still tries is up to the signal. Never rejects.
 */
export async function withTimeLimit<Value>(
	limitMs: number,
	sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
	outer: AbortSignal | undefined,
	run: (signal: AbortSignal) => Promise<Value>,
): Promise<Limited<Value>> {
	const inner = new AbortController();
	const ended = new AbortController();
	const giveUp = () => inner.abort();
	if (outer?.aborted) giveUp();
	outer?.addEventListener('abort', giveUp, { once: true });
	const work = run(inner.signal).then(
		(value): Limited<Value> => ({ kind: 'value', value }),
		(error: unknown): Limited<Value> => ({ kind: 'error', error }),
	);
	const limit = sleep(limitMs, ended.signal)
		.catch(() => undefined)
		.then((): Limited<Value> => ({ kind: 'late' }));
	try {
		return await Promise.race([work, limit]);
	} finally {
		outer?.removeEventListener('abort', giveUp);
		ended.abort();
		giveUp();
	}
}
