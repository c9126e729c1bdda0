/**
 * JSON with one spelling for each value: keys sorted by code unit, no blanks, members that are undefined left out. Two
 * parties that agree on the value agree on the bytes, so hashes and signatures can be made over it. Throws `TypeError` on
 * what JSON cannot hold (functions, NaN, bigint).
 */
export function canonicalJson(value: unknown): string {
	if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
	if (typeof value === 'number') {
		if (!Number.isFinite(value)) throw new TypeError('a number that JSON cannot hold');
		return JSON.stringify(value);
	}
	if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
	if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no JSON`);
	const members = Object.entries(value)
		.filter(([, inner]) => inner !== undefined)
		.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
		.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`);
	return `{${members.join(',')}}`;
}
