import type { Clock } from '../../core/ports.ts';

const MAX_ADDRESSES = 10_000;

/** A bucket of requests for each address, refilled steadily. */
export interface RateLimit {
	/** Milliseconds until the next request may come; 0 = this one may pass. */
	take(address: string): number;
}

export function createRateLimit(clock: Clock, { burst, perSecond }: { burst: number; perSecond: number }): RateLimit {
	const buckets = new Map<string, { left: number; at: number }>();
	return {
		take(address) {
			const now = clock.now();
			const bucket = buckets.get(address) ?? { left: burst, at: now };
			const left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
			const passes = left >= 1;
			buckets.delete(address);
			buckets.set(address, { left: passes ? left - 1 : left, at: now });
			if (buckets.size > MAX_ADDRESSES) buckets.delete(buckets.keys().next().value!);
			return passes ? 0 : Math.ceil(((1 - left) / perSecond) * 1_000);
		},
	};
}
