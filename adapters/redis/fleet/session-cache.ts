import type { FleetSession } from '../../../core/fleet/session.ts';

/** Sessions as they were read or written last, each good for exactly one version. Versions never come twice. */
export interface SessionCache {
	/** The version that is known of it; `none` when there is none. */
	versionOf(id: string): string;
	/** Undefined unless it is known in that version. */
	at(id: string, version: string): FleetSession | undefined;
	keep(id: string, version: string, session: FleetSession): void;
	forget(id: string): void;
}

/** Keeps the `max` that were used last: one with a full tail takes some 40 KB. */
export function createSessionCache(max: number): SessionCache {
	const kept = new Map<string, { readonly version: string; readonly session: FleetSession }>();
	return {
		versionOf: (id) => kept.get(id)?.version ?? 'none',
		at(id, version) {
			const found = kept.get(id);
			return found?.version === version ? found.session : undefined;
		},
		keep(id, version, session) {
			kept.delete(id);
			kept.set(id, { version, session });
			if (kept.size > max) kept.delete(kept.keys().next().value as string);
		},
		forget: (id) => void kept.delete(id),
	};
}
