import type { Clock } from '../../../../core/ports.ts';

export interface VirtualTime extends Clock {
	/** Ends when the clock got there, or on abort. The clock jumps whenever everything else stands still. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	advance(ms: number): void;
}

/** Time that costs none: waits end in their right order, as soon as nothing else is left to do. */
export function createVirtualTime(start = 1_700_000_000_000): VirtualTime {
	let now = start;
	let isPumping = false;
	const timers = new Set<{ readonly at: number; readonly end: () => void }>();
	const pump = () => {
		const next = [...timers].sort((one, other) => one.at - other.at)[0];
		isPumping = next !== undefined;
		if (next === undefined) return;
		now = Math.max(now, next.at);
		next.end();
		setImmediate(pump);
	};
	return {
		now: () => now,
		advance(ms) {
			now += ms;
		},
		sleep: (ms, signal) =>
			new Promise((resolve) => {
				const timer = {
					at: now + ms,
					end: () => {
						timers.delete(timer);
						signal?.removeEventListener('abort', timer.end);
						resolve();
					},
				};
				if (signal?.aborted) return resolve();
				timers.add(timer);
				signal?.addEventListener('abort', timer.end);
				if (!isPumping) {
					isPumping = true;
					setImmediate(pump);
				}
			}),
	};
}
