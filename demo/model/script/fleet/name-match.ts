import type { FleetLine } from './fleet-facts.ts';

const SHORTEST = 3;

/** A word that was meant as the name of a session. */
export type NameMatch =
	| { readonly kind: 'one'; readonly line: FleetLine }
	| { readonly kind: 'several'; readonly word: string; readonly lines: readonly FleetLine[] }
	| { readonly kind: 'none'; readonly word: string };

/** Exactly, else by a beginning; of several the living ones. */
export function matchName(word: string, fleet: readonly FleetLine[]): NameMatch {
	const key = bareWord(word);
	const rules = [
		(line: FleetLine) => line.name.toLowerCase() === key || line.id === key,
		(line: FleetLine) => key.length >= SHORTEST && line.name.toLowerCase().startsWith(key),
	];
	for (const rule of rules) {
		const found = fleet.filter(rule);
		const living = found.filter(({ hasEnded }) => !hasEnded);
		const meant = living.length > 0 ? living : found;
		const [first] = meant;
		if (first === undefined) continue;
		return meant.length === 1 ? { kind: 'one', line: first } : { kind: 'several', word: key, lines: meant };
	}
	return { kind: 'none', word: key };
}

/** Words of a sentence that name a session, or could name several, in order. */
export function namesIn(text: string, fleet: readonly FleetLine[]): NameMatch[] {
	return [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*/gu)].flatMap(([word]) => {
		const match = matchName(word, fleet);
		// An ordinary word that several names begin with is no name unless it is written like one.
		if (match.kind === 'none' || (match.kind === 'several' && COMMON.test(word))) return [];
		return [match];
	});
}

const COMMON = /^(?:the|and|was|what|who|are|all|did|has|for|test)$/i;

/** A word as a name: no case, no sign around it, no possessive. */
export function bareWord(word: string): string {
	return word
		.toLowerCase()
		.replace(/^@/, '')
		.replace(/['’]s$/, '')
		.replace(/[._-]+$/, '');
}
