import { distance } from 'fastest-levenshtein';
import { oneLine } from '../chat/sanitise.ts';
import type { FleetSession } from './session.ts';
import { hasEnded } from './session.ts';
import { isReservedName } from './session-name.ts';

export interface Candidate {
	/** As much of the id as tells it apart from every other session. */
	readonly id: string;
	readonly name: string;
	readonly directory: string | undefined;
}

export type Resolved<Session> =
	| { readonly kind: 'one'; readonly session: Session }
	| { readonly kind: 'ambiguous'; readonly candidates: readonly Candidate[] }
	| { readonly kind: 'none'; readonly suggestions: readonly string[] }
	/** The concierge itself was meant. */
	| { readonly kind: 'self' };

type Named = Pick<FleetSession, 'id' | 'name' | 'directory' | 'endedAt'>;

const SHORTEST_ID_PREFIX = 4;
const SHORTEST_SHOWN_ID = 6;
const SUGGESTIONS = 3;

/**
 * The session that a person or the concierge means: its id, its name, then a beginning of either that fits only one. Never a
 * guess: a message to the wrong agent cannot be taken back. Sessions that ended give way to living ones.
 */
export function resolveSession<Session extends Named>(query: string, sessions: readonly Session[]): Resolved<Session> {
	const wanted = oneLine(query, 120).replace(/^@/, '');
	const key = wanted.toLowerCase();
	if (key === '') return { kind: 'none', suggestions: [] };
	const byId = sessions.find((session) => session.id === wanted);
	if (byId !== undefined) return { kind: 'one', session: byId };
	if (isReservedName(wanted)) return { kind: 'self' };
	const rules: readonly ((session: Session) => boolean)[] = [
		(session) => session.name.toLowerCase() === key,
		(session) =>
			session.name.toLowerCase().startsWith(key) ||
			(key.length >= SHORTEST_ID_PREFIX && session.id.toLowerCase().startsWith(key)),
	];
	for (const rule of rules) {
		const found = sessions.filter(rule);
		const living = found.filter((session) => !hasEnded(session));
		const meant = living.length > 0 ? living : found;
		const [first] = meant;
		if (first === undefined) continue;
		if (meant.length === 1) return { kind: 'one', session: first };
		return { kind: 'ambiguous', candidates: meant.slice(0, 10).map((session) => candidate(session, sessions)) };
	}
	return { kind: 'none', suggestions: suggest(key, sessions) };
}

function candidate(session: Named, all: readonly Named[]): Candidate {
	return { id: shortId(session, all), name: session.name, directory: session.directory };
}

/** The shortest beginning of the id that no other session shares. */
function shortId(session: Pick<Named, 'id'>, all: readonly Pick<Named, 'id'>[]): string {
	let length = SHORTEST_SHOWN_ID;
	for (const other of all) {
		if (other.id === session.id) continue;
		while (length < session.id.length && other.id.startsWith(session.id.slice(0, length))) length += 1;
	}
	return session.id.slice(0, length);
}

function suggest(key: string, sessions: readonly Named[]): string[] {
	const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	return sessions
		.filter((session) => !hasEnded(session))
		.map(({ name }) => ({ name, far: distance(bare(key), bare(name)) }))
		.filter(({ name, far }) => far <= Math.max(1, Math.floor(name.length / 3)))
		.sort((left, right) => left.far - right.far || (left.name < right.name ? -1 : 1))
		.slice(0, SUGGESTIONS)
		.map(({ name }) => name);
}

/** Plain words for a name that did not lead to one session. */
export function unresolvedText(query: string, resolved: Exclude<Resolved<unknown>, { kind: 'one' }>): string {
	const shown = oneLine(query, 60);
	if (resolved.kind === 'self') return 'That is the concierge itself.';
	if (resolved.kind === 'none') {
		const near = resolved.suggestions.length > 0 ? ` Did you mean ${resolved.suggestions.join(' or ')}?` : '';
		return `No session is called "${shown}".${near}`;
	}
	const list = resolved.candidates.map(
		({ id, name, directory }) => `${name} (${[id, directory].filter(Boolean).join(', ')})`,
	);
	return `"${shown}" fits several sessions: ${list.join('; ')}. Use more of the name or the id.`;
}
