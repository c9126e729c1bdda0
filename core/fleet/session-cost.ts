import type { SessionCost } from './session.ts';

export const NO_COST: SessionCost = { totalUsd: 0, day: '', dayBaseUsd: 0 };

/**
 * Takes a session's total so far. Totals only grow, so an older or doubled report changes nothing; what was spent before the
 * day began is told apart when the day changes. A clock that goes back does not open a new day.
 */
export function withTotal(cost: SessionCost, totalUsd: number | undefined, day: string): SessionCost {
	const today = day > cost.day ? { ...cost, day, dayBaseUsd: cost.totalUsd } : cost;
	return totalUsd === undefined || totalUsd <= today.totalUsd ? today : { ...today, totalUsd };
}

/** US dollars spent on that day. */
export function costOn(cost: SessionCost, day: string): number {
	return cost.day >= day ? cost.totalUsd - cost.dayBaseUsd : 0;
}
