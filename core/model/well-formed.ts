/** Half of a surrogate pair standing alone; with the `u` flag whole pairs are one character and do not match. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Replaces lone surrogates by U+FFFD. JSON carries them as escapes that providers refuse, and a stored one would
 * poison every later request; so text is repaired at the moment it is sent.
 */
export function wellFormed(text: string): string {
	return text.replace(LONE_SURROGATE, '\ufffd');
}

/** The same for every string inside a JSON-like value, keys included; other values are kept as they are. */
export function wellFormedDeep<T>(value: T): T {
	return repaired(value) as T;
}

function repaired(value: unknown): unknown {
	if (typeof value === 'string') return wellFormed(value);
	if (Array.isArray(value)) return value.map(repaired);
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormed(key), repaired(inner)]));
}
