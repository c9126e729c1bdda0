/** Upper bounds of how long decisions took, in seconds; the last part is open. */
export const LATENCY_BOUNDS: readonly number[] = [1, 2, 5, 10, 20, 60];

/** Which measurements are kept for charts, and the label that tells their parts apart. */
const KEPT: Readonly<Record<string, readonly [group: string, label: string]>> = {
	model_cost_usd_total: ['cost', 'purpose'],
	model_calls_total: ['calls', 'purpose'],
	model_tokens_total: ['tokens', 'kind'],
	overseer_decisions_total: ['decisions', 'mode'],
	overseer_calls_blocked_total: ['blocked', 'reason'],
	overseer_actions_total: ['actions', 'outcome'],
};

/** Name of the part of a decision time, `le5` or `more`. */
export function latencyPart(seconds: number): string {
	const bound = LATENCY_BOUNDS.find((candidate) => seconds <= candidate);
	return bound === undefined ? 'more' : `le${bound}`;
}

/**
 * The field that a measurement of the metrics catalogue is summed up in, with its amount; undefined for what no chart shows.
 * Fields are `group:part`, e.g. `cost:rooms`, `decisions:CHAT`, `latency:le5`.
 */
export function usageField(
	kind: 'count' | 'observe',
	name: string,
	labels: Readonly<Record<string, string>>,
	value: number,
): readonly [field: string, amount: number] | undefined {
	if (!Number.isFinite(value) || value < 0) return undefined;
	if (kind === 'observe')
		return name === 'overseer_decision_seconds' ? [`latency:${latencyPart(value)}`, 1] : undefined;
	const kept = KEPT[name];
	const part = kept && labels[kept[1]];
	if (kept === undefined || part === undefined) return undefined;
	return [`${kept[0]}:${partOf(kept[0], part)}`, value];
}

/** Purposes by their agent, reasons without what follows their colon: a chart has room for few colours. */
function partOf(group: string, part: string): string {
	if (group === 'cost' || group === 'calls') return partOfHouse(part);
	return group === 'blocked' ? (part.split(':')[0] ?? part) : part;
}

/** Rooms, intakes, fleet: who keeps the rooms has another name in every house. */
function partOfHouse(purpose: string): string {
	const agent = purpose.split('.')[0] ?? purpose;
	return { overseer: 'rooms', intake: 'intakes' }[agent] ?? agent;
}
