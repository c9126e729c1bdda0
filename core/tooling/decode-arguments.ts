export type DecodedArguments =
	| { readonly ok: true; readonly values: ReadonlyMap<string, unknown> }
	| { readonly ok: false; readonly why: string };

const LONGEST = 8_000;

/**
 * Reads raw arguments: an object, nothing at all, or JSON text, also when it was encoded twice. Broken JSON is refused
 * and never mended: half of an argument list is another command. Values of null count as absent.
 */
export function decodeArguments(raw: unknown): DecodedArguments {
	let value = raw;
	for (let layer = 0; layer < 2 && typeof value === 'string'; layer++) {
		if (value.trim() === '') return { ok: true, values: new Map() };
		if (value.length > LONGEST) return { ok: false, why: 'arguments are too long' };
		try {
			value = JSON.parse(value);
		} catch {
			return { ok: false, why: 'arguments are not valid JSON' };
		}
	}
	if (value === undefined || value === null) return { ok: true, values: new Map() };
	if (typeof value !== 'object' || Array.isArray(value)) return { ok: false, why: 'arguments are not an object' };
	return { ok: true, values: new Map(Object.entries(value).filter(([, item]) => item !== null && item !== undefined)) };
}

/** Raw arguments for the audit: shortened, control characters escaped. Never throws. */
export function shortenArguments(raw: unknown, longest = 200): string {
	let text: string;
	try {
		text = JSON.stringify(raw) ?? String(raw);
	} catch {
		text = '[not printable]';
	}
	const escaped = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
		return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
	});
	return escaped.length <= longest ? escaped : `${escaped.slice(0, longest)}…`;
}
