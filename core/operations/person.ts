/** Whose data: the id is the key, the names are how they were shown where something of theirs was found. */
export interface Person {
	readonly id: string;
	readonly names: readonly string[];
}

/** What one place holds about a person, as it will be handed out. */
export interface Held {
	readonly holder: string;
	/** What this is and why it is kept, for the person. */
	readonly about: string;
	readonly items: readonly unknown[];
}

export interface Erased {
	readonly holder: string;
	/** Things that were removed or made anonymous. */
	readonly count: number;
	/** What stays and why, for the operator. */
	readonly left: readonly string[];
}

/**
 * A place that may hold something about a person. Every store that keeps ids, names or words of people has one; `erase`
 * may be called again after a failure.
 */
export interface PersonHolder {
	readonly name: string;
	readonly about: string;
	/** Names under which this place knows the person. */
	names?(personId: string): Promise<readonly string[]>;
	export(person: Person): Promise<readonly unknown[]>;
	erase(person: Person): Promise<Omit<Erased, 'holder'>>;
}

/** Stands where a person's id stood, in what must stay (the audit's rows). */
const GONE_ID = 'deleted-person';
const GONE_NAME = 'someone';

/** True when a text names the person: their id anywhere, or a name as a word of its own in any spelling of its case. */
export function isAbout(text: string, person: Person): boolean {
	return text.includes(person.id) || namePatterns(person.names, 'iu').some((pattern) => pattern.test(text));
}

/** The same value without the person: ids become {@link GONE_ID}, names, spelt as they are, `someone`. */
export function withoutPerson(value: unknown, person: Person): unknown {
	if (typeof value === 'string') return cleanText(value, person);
	if (Array.isArray(value)) return value.map((item) => withoutPerson(item, person));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [key.replaceAll(person.id, GONE_ID), withoutPerson(item, person)]),
	);
}

/** The same on JSON text; text that is no JSON is cleaned as text. */
export function jsonWithoutPerson(text: string, person: Person): string {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null) return JSON.stringify(withoutPerson(value, person));
	} catch {
		// Plain text.
	}
	return cleanText(text, person);
}

function cleanText(text: string, { id, names }: Person): string {
	const withoutId = text.replaceAll(new RegExp(`<@!?${id}>`, 'g'), `@${GONE_NAME}`).replaceAll(id, GONE_ID);
	return namePatterns(names, 'gu').reduce((left, pattern) => left.replace(pattern, GONE_NAME), withoutId);
}

/** Short names would hit ordinary words, so they count only whole and from three letters on. */
function namePatterns(names: readonly string[], flags: string): RegExp[] {
	return names
		.filter((name) => Array.from(name.trim()).length >= 3)
		.sort((a, b) => b.length - a.length)
		.map((name) => {
			const word = name.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
			return new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, flags);
		});
}
