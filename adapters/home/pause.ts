import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after some milliseconds, or at once when the signal fires; never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
	await sleep(ms, undefined, { signal }).catch(() => undefined);
}
