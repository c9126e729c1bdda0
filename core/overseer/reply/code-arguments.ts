import { closingIndex } from './brackets.ts';
import { jsonAt } from './json-values.ts';

/** Arguments as in code: `"bench", "on"`, `entity_id="bench", state: 'on'`, `{"slot": 1}`; undefined when they are not. */
export function codeArguments(text: string, order: readonly string[]): Record<string, unknown> | undefined {
	const inner = text.trim();
	if (inner === '') return {};
	const whole = jsonAt(inner, 0);
	if (whole !== undefined && inner.slice(whole.end).trim() === '' && !Array.isArray(whole.value)) {
		return { ...(whole.value as object) };
	}
	const result: Record<string, unknown> = {};
	for (const [index, part] of splitArguments(inner).entries()) {
		const named = /^([A-Za-z_]\w{0,30})\s*[=:]\s*([\s\S]*)$/.exec(part);
		const key = named?.[1] ?? order[index];
		if (key === undefined) return undefined;
		result[key] = literal(named?.[2] ?? part);
	}
	return result;
}

function splitArguments(text: string): string[] {
	const parts: string[] = [];
	let from = 0;
	let quote = '';
	for (let at = 0; at < text.length; at += 1) {
		const sign = text[at] as string;
		if (quote !== '') {
			if (sign === '\\') at += 1;
			else if (sign === quote) quote = '';
		} else if (sign === '"' || (sign === "'" && /[\s,:=([{]|^$/.test(text[at - 1] ?? ''))) quote = sign;
		else if (sign === '{' || sign === '[' || sign === '(') at = Math.max(at, closingIndex(text, at) - 1);
		else if (sign === ',') {
			parts.push(text.slice(from, at).trim());
			from = at + 1;
		}
	}
	return [...parts, text.slice(from).trim()].filter((part) => part !== '');
}

function literal(text: string): unknown {
	const trimmed = text.trim();
	if (/^'.*'$/s.test(trimmed)) return trimmed.slice(1, -1).replaceAll("\\'", "'");
	if (/^(?:None|null|nil)$/.test(trimmed)) return undefined;
	if (/^(?:True|False)$/.test(trimmed)) return trimmed === 'True';
	try {
		return JSON.parse(trimmed);
	} catch {
		return trimmed;
	}
}
