import type { IntakeStore, IntakeSummary } from '../../core/intake/intake-store.ts';
import type { Clock, Log } from '../../core/ports.ts';

/** Ids of a person's intakes while they type. Never waits for the store: what is known is given, what is old is read anew. */
export interface Suggestions {
	ids(personId: string, typed: string): { name: string; value: string }[];
	/** Something of a person's changed: their list is read ahead of time. */
	refresh(personId: string): void;
}

const FRESH_MS = 10_000;
const PEOPLE_MAX = 1_000;

export function createSuggestions(store: Pick<IntakeStore, 'list'>, clock: Clock, log: Log): Suggestions {
	const known = new Map<string, { at: number; list: readonly IntakeSummary[] }>();

	const refresh = (personId: string) => {
		const before = known.get(personId);
		known.delete(personId);
		known.set(personId, { at: clock.now(), list: before?.list ?? [] });
		const oldest = known.keys().next().value;
		if (known.size > PEOPLE_MAX && oldest !== undefined) known.delete(oldest);
		store.list({ requesterId: personId, limit: 25 }).then(
			(list) => known.set(personId, { at: clock.now(), list }),
			(error: unknown) => log.debug({ error }, 'the list of intakes for suggestions could not be read'),
		);
	};

	return {
		ids(personId, typed) {
			const before = known.get(personId);
			if (before === undefined || clock.now() - before.at > FRESH_MS) refresh(personId);
			const wanted = typed.trim().toLowerCase();
			return (known.get(personId)?.list ?? [])
				.filter(({ id, state }) => id.toLowerCase().includes(wanted) || state.toLowerCase().includes(wanted))
				.slice(0, 25)
				.map(({ id, state, createdAt }) => ({
					name: `${id} · ${state} · ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')}`.slice(0, 100),
					value: id,
				}));
		},
		refresh,
	};
}
