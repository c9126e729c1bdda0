/** A prompt file that is missing, empty, or has other placeholders than the code fills. Stops the start. */
export class PromptError extends Error {
	override readonly name = 'PromptError';
	readonly code: 'missing_file' | 'empty_file' | 'unknown_placeholder' | 'missing_placeholder' | 'missing_line';
	readonly file: string;

	constructor(code: PromptError['code'], file: string, message: string) {
		super(`prompts/${file}: ${message}`);
		this.code = code;
		this.file = file;
	}
}

interface PromptFile {
	/** Placeholders that must be in it. */
	readonly required: readonly string[];
	/** Further ones that may be. */
	readonly optional: readonly string[];
	/** Keys of a file that holds one `key: text` a line. */
	readonly keys?: readonly string[];
}

/** Every prompt file, by its path under `prompts/`, and what is filled in. People may edit them; the list is closed. */
const FILES = {
	'overseer/system.md': { required: ['NAME'], optional: ['MAX_CHARS', 'MAX_CALLS'] },
	'overseer/decision.md': { required: [], optional: ['NAME', 'MAX_CALLS'] },
	'overseer/honest.md': {
		required: [],
		optional: ['NAME', 'THING', 'RESULT', 'TIME'],
		keys: [
			'unreachable',
			'given_up',
			'limited',
			'limited_person',
			'not_done',
			'unconfirmed',
			'blocked',
			'failed',
			'demand',
			'too_long',
			'memory',
		],
	},
	'commentary/system.md': { required: ['NAME'], optional: ['MAX_CHARS'] },
	'fleet/system.md': { required: ['NAME'], optional: [] },
	'fleet/answer.md': { required: ['TOOLS'], optional: ['MAX_ROUNDS'] },
	'fleet/notes.md': { required: [], optional: [], keys: ['cut', 'broken', 'empty', 'rounds_spent'] },
	'fleet/summary.md': { required: [], optional: [] },
	'intake/system.md': { required: [], optional: ['MAX_QUESTIONS'] },
	'intake/ask.md': { required: ['DIMENSIONS'], optional: ['SET', 'SETS', 'MAX_QUESTIONS'] },
	'intake/finalize.md': { required: ['PREDICATES'], optional: [] },
	'intake/follow-up.md': {
		required: [],
		optional: [],
		keys: [
			'must_ask',
			'unusable',
			'lint',
			'not_final',
			'left_out',
			'leading',
			'presupposing',
			'named_product',
			'evaluative',
			'compound',
			'too_long',
			'no_question',
			'repeated',
			'repeated_now',
		],
	},
} as const satisfies Readonly<Record<string, PromptFile>>;

export type PromptFileName = keyof typeof FILES;

/** Names of the files to read, relative to the prompts folder. */
export const PROMPT_FILES = Object.keys(FILES) as readonly PromptFileName[];

/** Contents by name. Reading files is the caller's business. */
export type PromptTexts = Readonly<Record<PromptFileName, string>>;

const PLACEHOLDER = /<([A-Z][A-Z0-9_]*)>/g;

/**
 * Checks texts as read from files and gives them back typed, line ends unified. Throws `PromptError` on the first file that
 * is missing, empty, lacks a placeholder or a line, or holds a placeholder that nobody fills.
 */
export function checkPrompts(texts: Readonly<Partial<Record<string, string>>>): PromptTexts {
	const entries = PROMPT_FILES.map((name) => [name, checkFile(name, texts[name])] as const);
	return Object.fromEntries(entries) as Record<PromptFileName, string>;
}

function checkFile(name: PromptFileName, given: string | undefined): string {
	if (given === undefined) throw new PromptError('missing_file', name, 'file not found');
	const text = given
		.replace(/^\ufeff/, '')
		.replace(/\r\n?/g, '\n')
		.trim();
	if (text === '') throw new PromptError('empty_file', name, 'file is empty');
	const file: PromptFile = FILES[name];
	const found = new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] as string));
	const allowed = [...file.required, ...file.optional];
	const unknown = [...found].find((placeholder) => !allowed.includes(placeholder));
	if (unknown !== undefined) {
		const known = allowed.map((placeholder) => `<${placeholder}>`).join(', ') || 'none';
		throw new PromptError('unknown_placeholder', name, `unknown placeholder <${unknown}>; known here: ${known}`);
	}
	const missing = file.required.find((placeholder) => !found.has(placeholder));
	if (missing !== undefined) throw new PromptError('missing_placeholder', name, `placeholder <${missing}> is missing`);
	const lines = file.keys === undefined ? undefined : keyedLines(text);
	const lacking = file.keys?.find((key) => !lines?.get(key));
	if (lacking !== undefined) throw new PromptError('missing_line', name, `line "${lacking}: …" is missing`);
	return text;
}

function keyedLines(text: string): Map<string, string> {
	const lines = new Map<string, string>();
	for (const line of text.split('\n')) {
		const colon = line.indexOf(':');
		if (colon > 0 && !line.startsWith('#')) lines.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
	}
	return lines;
}

export type PromptValues = Readonly<Record<string, string | number>>;

/** A file with its placeholders filled. Values are put in as they are: they come from settings, never from chat. */
export function renderPrompt(texts: PromptTexts, name: PromptFileName, values: PromptValues): string {
	return fill(texts[name], name, values);
}

/** One line of a `key: text` file with its placeholders filled. */
export function renderLine(texts: PromptTexts, name: PromptFileName, key: string, values: PromptValues = {}): string {
	const line = keyedLines(texts[name]).get(key);
	if (line === undefined) throw new PromptError('missing_line', name, `line "${key}: …" is missing`);
	return fill(line, name, values);
}

function fill(text: string, name: PromptFileName, values: PromptValues): string {
	return text.replace(PLACEHOLDER, (whole, key: string) => {
		const value = values[key];
		if (value === undefined) throw new PromptError('unknown_placeholder', name, `nothing to put for ${whole}`);
		return String(value);
	});
}
