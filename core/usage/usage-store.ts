/** What was measured on one day, amounts by field. Fields are made by `usageFields`. */
export interface DailyUsage {
	/** Calendar date, `2026-11-30`. */
	readonly day: string;
	readonly amounts: Readonly<Record<string, number>>;
}

/** Sums that outlive processes, for charts. Both methods reject with `RedisUnavailable`. */
export interface UsageStore {
	/** Adds to a day's sums. */
	add(day: string, amounts: Readonly<Record<string, number>>): Promise<void>;
	/** The given days in their order; a day without any measurement has no amounts. */
	read(days: readonly string[]): Promise<readonly DailyUsage[]>;
}
