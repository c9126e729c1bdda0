import type { DecisionCall } from '../decision.ts';
import { isRecord, readArguments } from './json-values.ts';
import { toolWord } from './tool-word.ts';

const NAME_KEYS = ['tool', 'name', 'tool_name', 'function_name', 'function', 'recipient_name', 'action'] as const;
const ARGUMENT_KEYS = ['args', 'arguments', 'parameters', 'params', 'input', 'action_input', 'kwargs'] as const;
export const LIST_KEYS = [
	'calls',
	'tool_calls',
	'actions',
	'tools',
	'call',
	'tool_call',
	'function_call',
	'action',
] as const;

/** A call with its name as far as it is known; unknown names are kept, so that the refusal is on record. */
export function callOf(name: string, rawArguments: unknown): DecisionCall {
	return { tool: toolWord(name) ?? name.trim().slice(0, 64), args: readArguments(rawArguments) };
}

/** Reads one call object of any usual shape; undefined when it is none. */
export function callFromValue(value: unknown): DecisionCall | undefined {
	if (!isRecord(value)) return undefined;
	if (isRecord(value['function'])) return callFromValue(value['function']);
	const name = NAME_KEYS.map((key) => value[key]).find((found): found is string => typeof found === 'string');
	const keys = Object.keys(value);
	if (name === undefined) {
		const [only] = keys;
		return keys.length === 1 && only !== undefined && toolWord(only) ? callOf(only, value[only]) : undefined;
	}
	const argumentKey = ARGUMENT_KEYS.find((key) => key in value);
	if (argumentKey !== undefined) return callOf(name, value[argumentKey]);
	if (toolWord(name) === undefined) return undefined;
	// Arguments laid flat beside the name.
	const noise = new Set<string>([...NAME_KEYS, 'type', 'id', 'index', 'mode', 'decision']);
	return callOf(name, Object.fromEntries(keys.filter((key) => !noise.has(key)).map((key) => [key, value[key]])));
}

/** Every call in a value that holds nothing but calls; undefined when it holds something else or nothing. */
export function callsFromValue(value: unknown): DecisionCall[] | undefined {
	if (Array.isArray(value)) {
		const calls = value.map(callFromValue);
		return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
	}
	const single = callFromValue(value);
	return single === undefined ? undefined : [single];
}
