import { setTimeout as sleep } from 'node:timers/promises';

/** The promise's value, or `late` when the signal fires first. Does not stop what the promise stands for. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal, late: Value): Promise<Value> {
	if (signal.aborted) return late;
	let leave: () => void = () => undefined;
	const aborted = new Promise<Value>((resolve) => {
		leave = () => resolve(late);
		signal.addEventListener('abort', leave, { once: true });
	});
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', leave);
	}
}

/** Resolves after `ms`, or at once when the signal fires; never rejects. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
	await sleep(ms, undefined, { signal }).catch(() => undefined);
}
