import { ModelError } from '../../core/model/model-port.ts';
import type { Deadline } from './deadline.ts';

export interface RetryPolicy {
	/** Further tries after the first; 0 leaves retrying to the caller. */
	retries: number;
	/** First pause in milliseconds; it doubles per try, with jitter down to half. */
	baseMs: number;
	/** A provider that asks for a longer pause than this gets no further try in this call. */
	maxWaitMs: number;
}

/**
 * Runs tries until one succeeds, fails for good, or the next pause would not leave time before the deadline.
 * `mayRetry` lets an adapter veto a try, for instance after text has begun to arrive.
 */
export async function withRetries<T>(
	deadline: Deadline,
	policy: RetryPolicy,
	random: () => number,
	attempt: () => Promise<T>,
	mayRetry: (error: ModelError) => boolean = () => true,
): Promise<T> {
	for (let tries = 0; ; tries += 1) {
		try {
			return await deadline.race(attempt());
		} catch (error) {
			const struck = deadline.struck();
			if (struck !== undefined) throw struck;
			if (!(error instanceof ModelError) || !error.transient) throw error;
			if (tries >= policy.retries || !mayRetry(error)) throw error;
			const backoffMs = Math.min(policy.baseMs * 2 ** tries, policy.maxWaitMs) * (0.5 + random() / 2);
			const waitMs = Math.max(backoffMs, error.retryAfterMs ?? 0);
			if (waitMs > policy.maxWaitMs || waitMs >= deadline.remainingMs()) throw error;
			await deadline.sleep(waitMs);
		}
	}
}

/** The wait in a `retry-after` header in milliseconds: seconds or an HTTP date; undefined when absent or nonsense. */
export function retryAfterMs(header: string | null | undefined, epochMs: number): number | undefined {
	if (header === null || header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - epochMs;
	return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
