import type { DecisionCall, RefusedCall } from '../decision.ts';
import { isRecord } from './json-values.ts';

/** Pairs that undo each other. */
const OPPOSITES: readonly (readonly [string, string])[] = [
	['lift_up', 'lift_down'],
	['neato_start', 'neato_send_home'],
];
const ENTITY_TOOLS = new Set(['ha_set_entity', 'ha_set_light']);

export interface RuledCalls {
	readonly calls: readonly DecisionCall[];
	readonly refused: readonly RefusedCall[];
	readonly notes: readonly string[];
}

/** The rules of one decision: nothing twice, nothing against itself, not more than allowed. */
export function ruleCalls(proposed: readonly DecisionCall[], maxCalls: number): RuledCalls {
	const refused: RefusedCall[] = [];
	const notes = new Set<string>();
	const refuse = (call: DecisionCall, reason: RefusedCall['reason'], note: string) => {
		refused.push({ ...call, reason });
		notes.add(note);
	};
	const seen = new Set<string>();
	const single = proposed.filter((call) => {
		const key = `${call.tool} ${stableText(call.args)}`;
		if (seen.has(key)) refuse(call, 'duplicate', 'duplicate_call');
		return !seen.has(key) && seen.add(key);
	});
	const peaceful = single.filter((call) => {
		const clashes = single.some((other) => other !== call && areOpposed(call, other));
		if (clashes) refuse(call, 'contradictory', 'contradictory');
		return !clashes;
	});
	for (const call of peaceful.slice(maxCalls)) refuse(call, 'too_many', 'too_many_calls');
	return { calls: peaceful.slice(0, maxCalls), refused, notes: [...notes] };
}

function areOpposed(left: DecisionCall, right: DecisionCall): boolean {
	if (OPPOSITES.some(([one, other]) => isPair(left.tool, right.tool, one, other))) return true;
	if (!ENTITY_TOOLS.has(left.tool) || !ENTITY_TOOLS.has(right.tool)) return false;
	const target = entityOf(left.args);
	return target !== undefined && target === entityOf(right.args);
}

function isPair(left: string, right: string, one: string, other: string): boolean {
	return (left === one && right === other) || (left === other && right === one);
}

/** The same lamp under two spellings (`bench`, `light.bench`) is one lamp. */
function entityOf(args: unknown): string | undefined {
	if (!isRecord(args)) return undefined;
	const raw = args['entity_id'] ?? args['entityId'] ?? args['entity'];
	return typeof raw === 'string'
		? raw
				.toLowerCase()
				.split('.')
				.at(-1)
				?.replace(/[\s-]+/g, '_')
		: undefined;
}

function stableText(value: unknown): string {
	if (!isRecord(value)) return JSON.stringify(value) ?? '';
	return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
