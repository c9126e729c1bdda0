import type { DailyUsage } from '../usage/usage-store.ts';

/** What was spent today, and what may be. */
export interface SpendingBoard {
	readonly day: string;
	readonly timeZone: string;
	/** By part of the house: `rooms`, `intakes`, `fleet`. */
	readonly parts: readonly { readonly part: string; readonly usd: number; readonly calls: number }[];
	/** Budget of the concierge's digests; absent without a fleet. A budget of 0 is no limit. */
	readonly concierge?: { readonly usd: number; readonly budgetUsd: number };
}

const PARTS = ['rooms', 'intakes', 'fleet'];

export function spendingBoard(
	today: DailyUsage,
	timeZone: string,
	concierge: SpendingBoard['concierge'] | undefined,
): SpendingBoard {
	const { day, amounts } = today;
	const others = Object.keys(amounts)
		.map((field) => /^(?:cost|calls):(.+)$/.exec(field)?.[1])
		.filter((part): part is string => part !== undefined && !PARTS.includes(part));
	return {
		day,
		timeZone,
		parts: [...PARTS, ...new Set(others)].map((part) => ({
			part,
			usd: amounts[`cost:${part}`] ?? 0,
			calls: amounts[`calls:${part}`] ?? 0,
		})),
		...(concierge === undefined ? {} : { concierge }),
	};
}
