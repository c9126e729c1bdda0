import type { FleetSession } from '../../../core/fleet/session.ts';

/** What a process knows about a stored session beside the session itself. */
export interface Aside {
	/** Lines of its tail in the store at most. */
	readonly lines: number;
	/** When this process last threw out old report ids of it, epoch ms; 0 = never. */
	readonly sweptAt: number;
	/** None of its questions was waiting when this process looked last. */
	readonly isQuiet: boolean;
}

export interface CachedSession extends Aside {
	readonly version: string;
	readonly session: FleetSession;
}

/** Sessions as they were read or written last, each good for exactly one version. Versions never come twice. */
export interface SessionCache {
	/** Hold on to what this gives: by the time that an answer comes, the cache may know another version, or none. */
	last(id: string): CachedSession | undefined;
	/** Undefined unless it is known in that version. */
	at(id: string, version: string): CachedSession | undefined;
	keep(id: string, known: CachedSession): void;
	forget(id: string): void;
}

/** Keeps the `max` that were used last: one with a full tail takes some 40 KB. */
export function createSessionCache(max: number): SessionCache {
	const kept = new Map<string, CachedSession>();
	return {
		last: (id) => kept.get(id),
		at(id, version) {
			const found = kept.get(id);
			return found?.version === version ? found : undefined;
		},
		keep(id, known) {
			kept.delete(id);
			kept.set(id, known);
			if (kept.size > max) kept.delete(kept.keys().next().value as string);
		},
		forget: (id) => void kept.delete(id),
	};
}
