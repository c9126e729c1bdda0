import { oneLine } from '../chat/sanitise.ts';
import { resolveSession } from './resolve-session.ts';
import type { FleetSession } from './session.ts';

/** A beginning of a name counts as naming from this length on: shorter ones are ordinary words. */
const SHORTEST_BEGINNING = 4;

/** Words that mean every session. */
const EVERYBODY = /(?<![\p{L}\p{N}_-])(?:all|everyone|everybody|each|every)(?![\p{L}\p{N}_-])/iu;

export function namesEverybody(text: string): boolean {
	return EVERYBODY.test(text);
}

/** Ids of the sessions that a person's words name: by name, by id, or by a beginning that fits only one. */
export function namedSessions(text: string, sessions: readonly FleetSession[]): ReadonlySet<string> {
	const words = new Set(
		[
			...oneLine(text, 4_000)
				.toLowerCase()
				.matchAll(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._-]*/gu),
		].map(([word]) => word.replace(/[._-]+$/, '')),
	);
	const found = new Set<string>();
	for (const session of sessions) {
		if (words.has(session.name.toLowerCase()) || words.has(session.id.toLowerCase())) found.add(session.id);
	}
	for (const word of words) {
		if (word.length < SHORTEST_BEGINNING) continue;
		const resolved = resolveSession(word, sessions);
		if (resolved.kind === 'one') found.add(resolved.session.id);
	}
	return found;
}
