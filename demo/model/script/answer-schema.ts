import { isRecord } from '../loopback-http.ts';
import type { ScriptedDecision } from './scripted-decision.ts';

/** For each tool of the decision schema, the names its `entity_id` or `script` may take. */
export function readChoices(schema: unknown): ReadonlyMap<string, readonly string[]> {
	const choices = new Map<string, readonly string[]>();
	const variants = at(at(at(at(schema, 'properties'), 'calls'), 'items'), 'anyOf');
	for (const variant of Array.isArray(variants) ? variants : []) {
		const tools = at(at(at(variant, 'properties'), 'tool'), 'enum');
		const given = at(at(at(variant, 'properties'), 'args'), 'properties');
		const names = at(at(given, 'entity_id') ?? at(given, 'script'), 'enum');
		if (Array.isArray(tools) && Array.isArray(names)) choices.set(String(tools[0]), names.map(String));
	}
	return choices;
}

/**
 * The decision as the schema's grammar would have forced it: required fields are there, unknown ones are not, and a mode
 * that is not allowed falls back to what is left of it.
 */
export function underSchema(decision: ScriptedDecision, schema: unknown): Record<string, unknown> {
	const properties = at(schema, 'properties');
	if (!isRecord(properties)) return { ...decision };
	const modes = at(properties['mode'], 'enum');
	const isAllowed = (mode: string) => !Array.isArray(modes) || modes.includes(mode);
	const speechless = decision.calls.length > 0 ? 'ACTION' : 'SKIP';
	const mode = [decision.mode, speechless, 'SKIP'].find(isAllowed) ?? decision.mode;
	const all: Record<string, unknown> = {
		mode,
		chat: mode.includes('CHAT') ? (decision.chat ?? '') : '',
		calls: mode.includes('ACTION') ? decision.calls : [],
	};
	return Object.fromEntries(Object.entries(all).filter(([key]) => key in properties));
}

function at(value: unknown, key: string): unknown {
	return isRecord(value) ? value[key] : undefined;
}
