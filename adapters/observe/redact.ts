/** Takes secrets out of anything before it is written down. */
export interface Redactor {
	text(text: string): string;
	/** A copy that can be written as JSON: bounded in depth and size, without secrets. `personal` also hides chat texts. */
	fields(value: unknown, personal: boolean): unknown;
}

const HIDDEN = '[redacted]';
const MAX_DEPTH = 8;
const MAX_ENTRIES = 200;
const MAX_TEXT = 8_000;

/** Keys whose texts are credentials. Numbers under such keys (`promptTokens: 812`) are figures and stay. */
const secretKey =
	/(^|[_.-])(token|tokens|secret|secrets|password|passwd|pass|pwd|authorization|auth|cookie|cookies|credential|credentials|signature|api_?key|access_?key|private_?key)$/;

/** Keys that carry what people or models said. */
const personalKey = new Set(
	'text content prompt prompts answer answers intent original_intent body chat reply raw raw_output transcript thinking memory embeds components messages args arguments data said wish task goal choices'.split(
		' ',
	),
);

/** Credentials that show by their look, wherever they stand. Where a group is, only the rest is replaced. */
const patterns: readonly (readonly [RegExp, string])[] = [
	[/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, HIDDEN],
	[/\b[A-Za-z0-9_-]{23,30}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g, HIDDEN],
	[/\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{5,}/g, HIDDEN],
	[/\bsk-[A-Za-z0-9_-]{16,}/g, HIDDEN],
	[/\b(gh[pousr]_|github_pat_|xox[abprs]-|AKIA|glpat-)[A-Za-z0-9_-]{10,}/g, HIDDEN],
	[/\b(Bearer|Basic|Bot)(\s+|%20|\+)[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
	[/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s@"']{1,500}@/gi, `$1${HIDDEN}@`],
	[/(\/(?:webhooks|interactions)\/\d{15,22}\/)[^/\s"'?]+/g, `$1${HIDDEN}`],
	[
		/((?:^|[?&\s"'{,;(])(?:[a-z0-9]+[_-])*(?:token|secret|password|passwd|pwd|api[_-]?key|sig|signature)["']?\s*[=:]\s*["']?)(?!\[redacted\])[^\s"'&,;)}]+/gi,
		`$1${HIDDEN}`,
	],
	[/(authorization["']?\s*[:=]\s*["']?)(?!(Bearer|Basic|Bot) \[redacted\]|\[redacted\])[^\n"'}]+/gi, `$1${HIDDEN}`],
	// JSON.parse quotes what it could not read.
	[
		/(Unexpected (?:token|non-whitespace character|number|string)\b).{0,20}?, (?:\.\.\.)?".{0,60}?"(?:\.\.\.)? is not valid JSON/gs,
		'$1 in what is not valid JSON',
	],
	[/((?:set-)?cookie["']?\s*[:=]\s*["']?)(?!\[redacted\])[^\n"'}]+/gi, `$1${HIDDEN}`],
];

const snake = (key: string) =>
	key
		.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
		.replace(/[- ]/g, '_')
		.toLowerCase();

/** The forms under which one secret can appear inside other text. */
function formsOf(secret: string): string[] {
	const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
	const bytes = Buffer.from(secret);
	// Inside longer base64 only whole groups survive unchanged, so the last, padded group is left out.
	const base64 = bytes.toString('base64').replace(/=+$/, '');
	if (bytes.length >= 9) forms.push(base64.slice(0, base64.length - (base64.length % 4)));
	if (bytes.length >= 9) forms.push(bytes.toString('base64url'), bytes.toString('hex'));
	return forms;
}

/** `secrets`: exact texts that must never be seen, in any of their usual encodings. */
export function createRedactor(secrets: readonly string[]): Redactor {
	const known = [...new Set(secrets.filter((secret) => secret.length >= 4).flatMap(formsOf))].sort(
		(a, b) => b.length - a.length,
	);
	const text = (raw: string): string => {
		let clean = raw;
		for (const secret of known) clean = clean.replaceAll(secret, HIDDEN);
		// Cut before the patterns, which are slower than a search; a secret cut in half no longer matches and is short.
		if (clean.length > MAX_TEXT) clean = `${clean.slice(0, MAX_TEXT)}… (${clean.length} characters)`;
		for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
		return clean;
	};

	const visit = (value: unknown, personal: boolean, key: string, depth: number, above: readonly object[]): unknown => {
		if (typeof value === 'string') {
			if (value !== '' && secretKey.test(key)) return HIDDEN;
			if (personal && personalKey.has(key)) return `[text, ${value.length} characters]`;
			return text(value);
		}
		if (typeof value === 'bigint' || typeof value === 'symbol') return text(String(value));
		if (typeof value === 'function') return '[function]';
		if (typeof value !== 'object' || value === null) return value;
		if (above.includes(value)) return '[circular]';
		if (depth >= MAX_DEPTH) return '[deeper]';
		const path = [...above, value];
		// Below a secret's name every text is one, whatever it is called there.
		const isSecret = secretKey.test(key);
		const next = (item: unknown, itemKey: string) => visit(item, personal, isSecret ? key : itemKey, depth + 1, path);
		if (value instanceof Error) return errorFields(value, next);
		if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
		if (value instanceof URL) return text(value.href);
		if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
		if (personal && personalKey.has(key) && !Array.isArray(value)) return '[content]';
		if (personal && personalKey.has(key)) return `[${(value as unknown[]).length} entries]`;
		if (Array.isArray(value) || value instanceof Set) {
			const items = [...value];
			const shown = items.slice(0, MAX_ENTRIES).map((item) => next(item, key));
			return items.length > MAX_ENTRIES ? [...shown, `… ${items.length - MAX_ENTRIES} more`] : shown;
		}
		const entries = value instanceof Map ? [...value].map(([k, v]) => [String(k), v] as const) : safeEntries(value);
		return Object.fromEntries(
			entries.slice(0, MAX_ENTRIES).map(([name, item]) => [text(name), next(item, snake(name))]),
		);
	};
	return { text, fields: (value, personal) => visit(value, personal, '', 0, []) };
}

/** Own readable properties; a getter that throws is left out rather than taking the log line down. */
function safeEntries(value: object): (readonly [string, unknown])[] {
	const json = value as { toJSON?: () => unknown };
	if (typeof json.toJSON === 'function') {
		try {
			const plain = json.toJSON();
			if (typeof plain !== 'object' || plain === null) return [['value', plain]];
			return Object.entries(plain);
		} catch {
			return [];
		}
	}
	return Object.keys(value).flatMap((key) => {
		try {
			return [[key, (value as Record<string, unknown>)[key]] as const];
		} catch {
			return [];
		}
	});
}

/** The parts of an error worth keeping. Other properties may hold whole requests with their headers. */
function errorFields(error: Error, next: (item: unknown, key: string) => unknown): Record<string, unknown> {
	const { name, message, stack, cause } = error;
	const fields: Record<string, unknown> = { name, message: next(message, 'message') };
	for (const key of ['code', 'status', 'statusCode', 'syscall', 'address', 'port', 'hint']) {
		const value = (error as unknown as Record<string, unknown>)[key];
		if (value !== undefined) fields[key] = next(value, key);
	}
	if (error instanceof AggregateError) fields['errors'] = next(error.errors, 'errors');
	if (cause !== undefined) fields['cause'] = next(cause, 'cause');
	if (stack !== undefined) fields['stack'] = next(stack, 'stack');
	return fields;
}
