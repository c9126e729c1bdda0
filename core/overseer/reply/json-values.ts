import { jsonrepair } from 'jsonrepair';
import { closingIndex } from './brackets.ts';

/** A parsed value and where it ends in the text. */
export interface JsonPiece {
	readonly value: unknown;
	readonly end: number;
}

/**
 * The object or list that begins at `start`. What is not quite JSON (quotes, commas, comments) is repaired, but only when
 * all its brackets are closed: a repaired half would look like a whole one with things missing.
 */
export function jsonAt(text: string, start: number): JsonPiece | undefined {
	const first = text[start];
	if (first !== '{' && first !== '[') return undefined;
	const end = closingIndex(text, start);
	if (end < 0) return undefined;
	const value = parseLoose(text.slice(start, end));
	return typeof value === 'object' && value !== null ? { value, end } : undefined;
}

/** JSON, or near-JSON after repair; undefined when it is neither. */
function parseLoose(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		try {
			return JSON.parse(jsonrepair(text));
		} catch {
			return undefined;
		}
	}
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Arguments as an object: text that holds JSON is read, twice if need be; nothing at all is `{}`; the rest stays as is. */
export function readArguments(raw: unknown): unknown {
	let value = raw;
	for (let depth = 0; depth < 3 && typeof value === 'string'; depth += 1) {
		if (value.trim() === '') return {};
		try {
			value = JSON.parse(value);
		} catch {
			// Never repaired: half of an argument is a different argument. The tool's own check refuses the text.
			return raw;
		}
	}
	return value === undefined || value === null ? {} : value;
}
