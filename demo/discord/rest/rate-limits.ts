export interface RateLimit {
	limit: number;
	windowMs: number;
}

/** `relaxed` never gets in the way of a quick test, `discord` is near what the real service was seen to allow. */
export type RateLimitMode = 'relaxed' | 'discord';

export interface Admission {
	admitted: boolean;
	/** Headers for the answer, whether admitted or not. */
	headers: Record<string, string>;
	retryAfterMs: number;
	isGlobal: boolean;
}

export interface RateLimits {
	setMode(mode: RateLimitMode): void;
	/** `route` is "POST /channels/:id/messages", `major` what Discord counts separately: channel, guild or webhook. */
	admit(route: string, major: string, applicationId: string | undefined): Admission;
	reset(): void;
}

interface Bucket {
	remaining: number;
	resetAtMs: number;
}

const relaxed: RateLimit = { limit: 200, windowMs: 1000 };
const usual: RateLimit = { limit: 10, windowMs: 5000 };
const strict: Record<string, RateLimit> = {
	'POST /channels/:id/messages': { limit: 5, windowMs: 5000 },
	'PATCH /channels/:id/messages/:id': { limit: 5, windowMs: 5000 },
	'DELETE /channels/:id/messages/:id': { limit: 5, windowMs: 1000 },
	'PUT /channels/:id/messages/:id/reactions/:emoji/@me': { limit: 1, windowMs: 250 },
	'POST /channels/:id/typing': { limit: 5, windowMs: 5000 },
	'PATCH /channels/:id': { limit: 5, windowMs: 15_000 },
	'POST /webhooks/:id/:token': { limit: 5, windowMs: 2000 },
	'PATCH /webhooks/:id/:token/messages/:id': { limit: 5, windowMs: 2000 },
	'PATCH /webhooks/:id/:token/messages/@original': { limit: 5, windowMs: 2000 },
};
const globalPerSecond = 50;

/** A name for a bucket as opaque as Discord's. */
function bucketName(route: string): string {
	let hash = 0x811c9dc5;
	for (const char of route) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
	return hash.toString(16).padStart(8, '0').repeat(4);
}

/** Fixed windows by the clock given; interaction routes do not count towards the global limit. */
export function createRateLimits(now: () => number, initialMode: RateLimitMode): RateLimits {
	const buckets = new Map<string, Bucket>();
	const globals = new Map<string, Bucket>();
	let mode = initialMode;

	const take = (store: Map<string, Bucket>, key: string, rule: RateLimit): { bucket: Bucket; admitted: boolean } => {
		const atMs = now();
		let bucket = store.get(key);
		if (bucket === undefined || bucket.resetAtMs <= atMs) {
			bucket = { remaining: rule.limit, resetAtMs: atMs + rule.windowMs };
			store.set(key, bucket);
		}
		const admitted = bucket.remaining > 0;
		if (admitted) bucket.remaining -= 1;
		return { bucket, admitted };
	};

	return {
		setMode: (next) => {
			mode = next;
			buckets.clear();
			globals.clear();
		},
		reset: () => {
			buckets.clear();
			globals.clear();
		},
		admit: (route, major, applicationId) => {
			if (mode === 'discord' && applicationId !== undefined) {
				const { bucket, admitted } = take(globals, applicationId, { limit: globalPerSecond, windowMs: 1000 });
				if (!admitted) return refuse(bucket.resetAtMs - now(), true);
			}
			const rule = mode === 'discord' ? (strict[route] ?? usual) : relaxed;
			const { bucket, admitted } = take(buckets, `${applicationId ?? ''} ${route} ${major}`, rule);
			const afterMs = Math.max(0, bucket.resetAtMs - now());
			const headers = {
				'X-RateLimit-Limit': String(rule.limit),
				'X-RateLimit-Remaining': String(bucket.remaining),
				'X-RateLimit-Reset': (bucket.resetAtMs / 1000).toFixed(3),
				'X-RateLimit-Reset-After': (afterMs / 1000).toFixed(3),
				'X-RateLimit-Bucket': bucketName(route),
			};
			if (admitted) return { admitted, headers, retryAfterMs: 0, isGlobal: false };
			const refused = refuse(afterMs, false);
			return { ...refused, headers: { ...refused.headers, ...headers } };
		},
	};
}

/** A refusal with the headers of a real 429. */
export function refuse(retryAfterMs: number, isGlobal: boolean, scope?: string): Admission {
	const seconds = Math.max(0.001, retryAfterMs / 1000);
	return {
		admitted: false,
		retryAfterMs,
		isGlobal,
		headers: {
			'Retry-After': seconds.toFixed(3),
			'X-RateLimit-Reset-After': seconds.toFixed(3),
			'X-RateLimit-Scope': scope ?? (isGlobal ? 'global' : 'user'),
			...(isGlobal ? { 'X-RateLimit-Global': 'true' } : { 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '0' }),
		},
	};
}
