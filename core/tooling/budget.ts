import type { OverseerSettings } from '../../config/overseer.ts';
import type { ToolFacts } from './facts.ts';

export interface BudgetLeft {
	/** No physical action is left for now. */
	readonly spent: boolean;
	/** Milliseconds until one comes free; absent when none is spent, or none ever comes (a limit of 0). */
	readonly remainingMs?: number;
}

/** Whether the room may still act: both the minute and the hour need a free unit. */
export function budgetLeft(facts: ToolFacts, settings: OverseerSettings): BudgetLeft {
	const { budget, now } = facts;
	const freeAt: number[] = [];
	let spent = false;
	let never = false;
	const check = (used: number, limit: number, free: number | undefined) => {
		if (used < limit) return;
		spent = true;
		if (limit === 0 || free === undefined) never = true;
		else freeAt.push(free);
	};
	check(budget.minuteUsed, settings.budget.perMinute, budget.minuteFreeAt);
	check(budget.hourUsed, settings.budget.perHour, budget.hourFreeAt);
	if (!spent) return { spent };
	return never ? { spent } : { spent, remainingMs: Math.max(0, Math.max(...freeAt) - now) };
}
