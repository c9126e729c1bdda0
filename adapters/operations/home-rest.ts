/** One entity as Home Assistant's REST interface lists it. */
export interface LiveEntity {
	readonly entityId: string;
	readonly state: string;
	/** Friendly name, or the id when there is none. */
	readonly name: string;
	readonly deviceClass?: string;
}

export type HomeReading =
	| {
			readonly kind: 'ok';
			readonly entities: readonly LiveEntity[];
			/** Its clock minus ours. */
			readonly clock?: { readonly aheadMs: number; readonly uncertainMs: number };
	  }
	| { readonly kind: 'denied' }
	| { readonly kind: 'unreachable'; readonly reason: string };

const MAX_BYTES = 50_000_000;

/** Every entity that Home Assistant has now. Never rejects, and never repeats the token. */
export async function readHomeEntities(options: {
	/** Checked base address without a trailing slash. */
	readonly url: string;
	readonly token: string;
	readonly signal: AbortSignal;
	readonly now: () => number;
}): Promise<HomeReading> {
	const { url, token, signal, now } = options;
	const sentAt = now();
	try {
		const response = await fetch(`${url}/api/states`, {
			headers: { authorization: `Bearer ${token}` },
			signal,
			redirect: 'error',
		});
		const receivedAt = now();
		if (response.status === 401 || response.status === 403) return { kind: 'denied' };
		if (!response.ok) return { kind: 'unreachable', reason: `HTTP ${response.status}` };
		if (Number(response.headers.get('content-length') ?? 0) > MAX_BYTES)
			return { kind: 'unreachable', reason: 'the answer is too large' };
		const states: unknown = await response.json();
		if (!Array.isArray(states)) return { kind: 'unreachable', reason: 'this is not Home Assistant' };
		const theirs = Date.parse(response.headers.get('date') ?? '');
		return {
			kind: 'ok',
			entities: states.flatMap(entityOf),
			...(Number.isNaN(theirs)
				? {}
				: {
						clock: {
							aheadMs: theirs + 500 - (sentAt + receivedAt) / 2,
							uncertainMs: 500 + (receivedAt - sentAt) / 2,
						},
					}),
		};
	} catch (thrown) {
		if (signal.aborted) return { kind: 'unreachable', reason: 'no answer in time' };
		const cause = thrown instanceof Error ? thrown.cause : undefined;
		const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined;
		return { kind: 'unreachable', reason: code ?? 'the answer is not that of Home Assistant' };
	}
}

function entityOf(value: unknown): LiveEntity[] {
	if (typeof value !== 'object' || value === null) return [];
	const { entity_id: entityId, state, attributes } = value as Record<string, unknown>;
	if (typeof entityId !== 'string' || typeof state !== 'string') return [];
	const shown = (typeof attributes === 'object' && attributes !== null ? attributes : {}) as Record<string, unknown>;
	return [
		{
			entityId,
			state,
			name: typeof shown['friendly_name'] === 'string' ? shown['friendly_name'] : entityId,
			...(typeof shown['device_class'] === 'string' ? { deviceClass: shown['device_class'] } : {}),
		},
	];
}

/**
 * Whether something answers at this address; undefined when it does, else why not. Asks for a public file: Home Assistant
 * counts a request without a good token as an attack and bans the address after some.
 */
export async function knockAtHome(url: string, signal: AbortSignal): Promise<string | undefined> {
	try {
		const response = await fetch(`${url}/manifest.json`, { signal, redirect: 'error' });
		await response.body?.cancel();
		return undefined;
	} catch (thrown) {
		if (signal.aborted) return 'no answer in time';
		const cause = thrown instanceof Error ? thrown.cause : undefined;
		return typeof cause === 'object' && cause !== null && 'code' in cause
			? String(cause.code)
			: 'the connection failed';
	}
}
