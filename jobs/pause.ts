import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; ends early and quietly when aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	await sleep(ms, undefined, { signal }).catch(() => undefined);
}
