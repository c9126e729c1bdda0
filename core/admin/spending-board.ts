import type { DailyUsage } from '../usage/usage-store.ts';

/** What was spent today, and what may be. */
export interface SpendingBoard {
	readonly day: string;
	readonly timeZone: string;
	/** By agent: `overseer`, `intake`, `fleet`. */
	readonly agents: readonly { readonly agent: string; readonly usd: number; readonly calls: number }[];
	/** Budget of the concierge's digests; absent without a fleet. A budget of 0 is no limit. */
	readonly concierge?: { readonly usd: number; readonly budgetUsd: number };
}

const AGENTS = ['overseer', 'intake', 'fleet'];

export function spendingBoard(
	today: DailyUsage,
	timeZone: string,
	concierge: SpendingBoard['concierge'] | undefined,
): SpendingBoard {
	const { day, amounts } = today;
	const others = Object.keys(amounts)
		.map((field) => /^(?:cost|calls):(.+)$/.exec(field)?.[1])
		.filter((agent): agent is string => agent !== undefined && !AGENTS.includes(agent));
	return {
		day,
		timeZone,
		agents: [...AGENTS, ...new Set(others)].map((agent) => ({
			agent,
			usd: amounts[`cost:${agent}`] ?? 0,
			calls: amounts[`calls:${agent}`] ?? 0,
		})),
		...(concierge === undefined ? {} : { concierge }),
	};
}
