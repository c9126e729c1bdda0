import { pause } from './pause.ts';
import { isStoreFailure } from './store-failure.ts';

const AGAIN_MS = 500;

/**
 * Does something that needs our own store, again and again for as long as the store fails under it: its process lives on, so
 * nobody else takes the work for left. A step that was reported as failed may have been stored all the same, so `act` must be
 * safe to repeat. Rejects with whatever else goes wrong, and with the store's failure once `signal` is aborted.
 */
export async function outlastStore<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
	for (;;) {
		try {
			return await act();
		} catch (error) {
			if (signal.aborted || !isStoreFailure(error)) throw error;
		}
		await pause(AGAIN_MS, signal);
	}
}
