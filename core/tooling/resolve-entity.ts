/** One entity of the allowlist and the words that may mean it; words may be untrusted, the id never is. */
export interface Candidate {
	readonly entityId: string;
	readonly label: string;
	/** Home Assistant's own name. */
	readonly friendlyName?: string;
}

export type Resolved =
	| { readonly ok: true; readonly entityId: string }
	| { readonly ok: false; readonly code: 'invalid_args' | 'ambiguous' | 'not_allowed'; readonly why: string };

const MOST_CHOICES = 12;
/** Words for many things at once; never a name, whatever the house calls its lamps. */
const everything: ReadonlySet<string> = new Set(['all', 'any', 'none', 'every', 'everything', '*']);

/**
 * Finds the one entity of the allowlist that a text means: an exact id in any case, else an id without its domain, a
 * label or a friendly name, when exactly one fits. Text with a domain is an id and nothing else: another domain or a
 * renamed entity is refused, never guessed. Numbers, lists and control characters are refused.
 */
export function resolveEntity(given: unknown, candidates: readonly Candidate[]): Resolved {
	const choices = listChoices(candidates);
	if (typeof given !== 'string' || given.trim() === '') {
		return { ok: false, code: 'invalid_args', why: `name one entity as text: ${choices}` };
	}
	if (/\p{Cc}/u.test(given)) return { ok: false, code: 'invalid_args', why: 'control characters in an entity id' };
	const text = fold(given);
	const exact = candidates.find((item) => item.entityId === text);
	if (exact) return { ok: true, entityId: exact.entityId };
	if (everything.has(text)) return { ok: false, code: 'not_allowed', why: `one entity only: ${choices}` };
	const fitting = /^[a-z0-9_]+\.[a-z0-9_]+$/.test(text)
		? []
		: candidates.filter((item) => names(item).has(spaced(text)));
	const [only, other] = fitting;
	if (only === undefined) return { ok: false, code: 'not_allowed', why: `not an entity of this room: ${choices}` };
	if (other !== undefined) return { ok: false, code: 'ambiguous', why: `could be ${listChoices(fitting)}` };
	return { ok: true, entityId: only.entityId };
}

function fold(text: string): string {
	return text.normalize('NFKC').trim().toLowerCase();
}

function spaced(text: string): string {
	return fold(text).replace(/[\s_-]+/g, ' ');
}

function names({ entityId, label, friendlyName }: Candidate): Set<string> {
	const words = [entityId.slice(entityId.indexOf('.') + 1), label, friendlyName ?? ''];
	return new Set(words.map(spaced).filter((word) => word !== ''));
}

/** Only configured words: a friendly name never gets into a refusal that a model reads. */
function listChoices(candidates: readonly Candidate[]): string {
	const shown = candidates.slice(0, MOST_CHOICES).map((item) => `${item.entityId} (${item.label})`);
	const more = candidates.length - shown.length;
	return shown.length === 0 ? 'there is none' : shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
