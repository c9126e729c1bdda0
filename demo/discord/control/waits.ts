/** Calls `listener` whenever something may have changed; returns how to stop. */
export type ChangeSource = (listener: () => void) => () => void;

const pollMs = 100;

/**
 * Resolves with the first value `look` finds, looking now, at every change and every 100 ms
 * (clocks move without an event). Resolves with undefined when `timeoutMs` of real time are over.
 */
export function waitUntil<T>(
	look: () => T | undefined,
	sources: readonly ChangeSource[],
	timeoutMs: number,
): Promise<T | undefined> {
	return new Promise((resolve) => {
		const stops: (() => void)[] = [];
		const finish = (value: T | undefined): void => {
			clearTimeout(deadline);
			clearInterval(poll);
			for (const stop of stops) stop();
			resolve(value);
		};
		const attempt = (): void => {
			const value = look();
			if (value !== undefined) finish(value);
		};
		const deadline = setTimeout(() => finish(undefined), timeoutMs);
		const poll = setInterval(attempt, pollMs);
		for (const source of sources) stops.push(source(attempt));
		attempt();
	});
}
