const plainText = /^[\p{L}\p{N}][\p{L}\p{N} _.,*/@+-]{0,31}$/u;

/** A long unbroken run of letters and digits: more likely a credential than a word. */
const looksRandom = (text: string) => /[A-Za-z0-9_-]{16,}/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text);

/** What a wrong value is, for a message: short plain values as they are, everything else by its class only. */
export function describeValue(value: unknown): string {
	if (value === undefined) return 'missing';
	if (value === null) return 'empty';
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (typeof value === 'bigint') return 'a large number';
	if (typeof value === 'string') {
		if (value === '') return 'empty text';
		if (plainText.test(value) && !looksRandom(value)) return `"${value}"`;
		return `text of ${value.length} characters`;
	}
	if (Array.isArray(value)) return `a list of ${value.length}`;
	return 'a group of settings';
}
