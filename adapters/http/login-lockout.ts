import type { Clock } from '../../core/ports.ts';

/** Failed logins after which one address waits; the wait doubles with each further failure. */
const FREE_TRIES = 5;
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
/** Failures of an address are forgotten after this quiet time. */
const FORGET_MS = 24 * 3_600_000;
/** Failures of everybody together within the window after which nobody may try for a while. */
const GLOBAL_TRIES = 50;
const GLOBAL_WINDOW_MS = 600_000;
const GLOBAL_WAIT_MS = 60_000;
const MAX_ADDRESSES = 5_000;

/** Slows down guessing: by address, and altogether for guesses from many addresses. Open logins are not touched. */
export interface LoginLockout {
	/** Milliseconds to wait before the next try; 0 = try now. */
	waitMs(address: string): number;
	failed(address: string): void;
	succeeded(address: string): void;
}

export function createLoginLockout(clock: Clock): LoginLockout {
	const addresses = new Map<string, { failures: number; lastAt: number; until: number }>();
	let recent: number[] = [];
	let globalUntil = 0;
	return {
		waitMs(address) {
			const now = clock.now();
			return Math.max(0, (addresses.get(address)?.until ?? 0) - now, globalUntil - now);
		},
		failed(address) {
			const now = clock.now();
			const known = addresses.get(address);
			const failures = known && now - known.lastAt < FORGET_MS ? known.failures + 1 : 1;
			const wait =
				failures < FREE_TRIES ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(16, failures - FREE_TRIES));
			// Delete first, so that the address moves to the young end of the map.
			addresses.delete(address);
			addresses.set(address, { failures, lastAt: now, until: now + wait });
			if (addresses.size > MAX_ADDRESSES) addresses.delete(addresses.keys().next().value!);
			recent = [...recent.filter((at) => now - at < GLOBAL_WINDOW_MS), now];
			if (recent.length >= GLOBAL_TRIES) {
				globalUntil = now + GLOBAL_WAIT_MS;
				recent = [];
			}
		},
		succeeded(address) {
			addresses.delete(address);
		},
	};
}
