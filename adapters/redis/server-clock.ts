import type { RedisConnection } from './connection.ts';

/** Time of the Redis server, epoch ms, from one measurement and this process' monotonic clock. */
export interface ServerClock {
	now(): Promise<number>;
	/** Measure again at the next use. */
	forget(): void;
}

export function createServerClock(redis: RedisConnection): ServerClock {
	let offsetMs: number | undefined;
	redis.onReady(() => {
		offsetMs = undefined;
	});
	return {
		async now() {
			if (offsetMs === undefined) {
				const [seconds, micros] = await redis.ask((client) => client.time());
				// Taken after the reply, so this clock is late by the way back and never ahead: a deadline made from it is strict.
				offsetMs = Number(seconds) * 1_000 + Number(micros) / 1_000 - performance.now();
			}
			return performance.now() + offsetMs;
		},
		forget() {
			offsetMs = undefined;
		},
	};
}
