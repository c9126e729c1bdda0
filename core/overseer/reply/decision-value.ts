import type { DecisionCall, DecisionMode } from '../decision.ts';
import { callFromValue, LIST_KEYS } from './call-values.ts';
import { isRecord } from './json-values.ts';
import { wholeTextCalls } from './text-calls.ts';

/** What an answer says before the rules: a declared mode, words, calls. */
export interface RawDecision {
	readonly mode?: DecisionMode | undefined;
	readonly chat?: string | undefined;
	readonly calls: readonly DecisionCall[];
	/** Entries of the call list that are no calls. */
	readonly oddCalls: number;
}

const MODE_KEYS = ['mode', 'decision', 'type', 'action'] as const;
const CHAT_KEYS = ['chat', 'say', 'message', 'text', 'reply', 'response', 'content', 'speech'] as const;

/** Reads a mode word in any dress: `ACTION_CHAT`, `action and chat`, `Chat`. */
export function modeWord(value: unknown): DecisionMode | undefined {
	if (typeof value !== 'string' || value.length > 40) return undefined;
	const word = value
		.toUpperCase()
		.replace(/[^A-Z]+/g, ' ')
		.trim();
	if (word === 'SKIP' || word === 'SKIPPED' || word === 'NONE' || word === 'NO ACTION') return 'SKIP';
	if (word === 'CHAT' || word === 'SPEAK' || word === 'REPLY') return 'CHAT';
	if (word === 'ACTION' || word === 'ACT') return 'ACTION';
	if (/^(?:ACTION (?:AND )?CHAT|CHAT (?:AND )?ACTION|BOTH)$/.test(word)) return 'ACTION+CHAT';
	return undefined;
}

/** Reads a decision object of any usual shape; undefined when nothing in it is known. */
export function decisionFromValue(value: unknown): RawDecision | undefined {
	if (!isRecord(value)) return undefined;
	const mode = MODE_KEYS.map((key) => modeWord(value[key])).find((found) => found !== undefined);
	const chat = CHAT_KEYS.map((key) => value[key]).find((found): found is string => typeof found === 'string');
	const listKey = LIST_KEYS.find((key) => value[key] !== undefined && value[key] !== null && !modeWord(value[key]));
	const listed = listKey === undefined ? [] : readList(value[listKey]);
	if (mode === undefined && listKey === undefined) {
		const single = callFromValue(value);
		if (single !== undefined) return { calls: [single], oddCalls: 0 };
	}
	if (mode === undefined && chat === undefined && listKey === undefined) return undefined;
	// `{ "mode": "ACTION", "tool": "lift_up" }`: the call lies flat in the decision.
	const flat =
		listed.length === 0 && mode?.startsWith('ACTION') ? [callFromValue({ ...value, action: undefined })] : listed;
	const calls = flat.filter((call) => call !== undefined);
	return { mode, chat, calls, oddCalls: flat === listed ? listed.length - calls.length : 0 };
}

function readList(value: unknown): (DecisionCall | undefined)[] {
	const list = Array.isArray(value) ? value : [value];
	return list.slice(0, 50).flatMap((entry): (DecisionCall | undefined)[] => {
		if (typeof entry === 'string') return entry.trim() === '' ? [] : (wholeTextCalls(entry.trim()) ?? [undefined]);
		return isRecord(entry) && Object.keys(entry).length === 0 ? [] : [callFromValue(entry)];
	});
}
