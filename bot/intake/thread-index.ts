import type { IntakeStore } from '../../core/intake/intake-store.ts';
import type { Clock } from '../../core/ports.ts';
import { snowflakeTime } from '../snowflake.ts';

/** Which session lives in which thread. */
export interface ThreadIndex {
	/** Undefined: no session lives there. Rejects when the store cannot be reached and nothing is known. */
	find(threadId: string): Promise<string | undefined>;
	note(threadId: string, sessionId: string): void;
	forget(threadId: string): void;
}

const KNOWN_MAX = 5_000;
/** A young thread may get its session any moment; of an older one it is remembered that it has none. */
const YOUNG_MS = 60_000;

export function createThreadIndex(store: Pick<IntakeStore, 'byThread'>, clock: Clock): ThreadIndex {
	const known = new Map<string, string | undefined>();
	const note = (threadId: string, sessionId: string | undefined) => {
		known.delete(threadId);
		known.set(threadId, sessionId);
		const oldest = known.keys().next().value;
		if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
	};
	return {
		async find(threadId) {
			if (known.has(threadId)) return known.get(threadId);
			const sessionId = await store.byThread(threadId);
			if (sessionId !== undefined || isOlder(threadId, clock.now())) note(threadId, sessionId);
			return sessionId;
		},
		note,
		forget: (threadId) => void known.delete(threadId),
	};
}

/** Whether a thread was opened long enough ago to have its session, if it ever gets one. */
function isOlder(threadId: string, now: number): boolean {
	return now - snowflakeTime(threadId) > YOUNG_MS;
}
