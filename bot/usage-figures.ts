import type { Charts } from '../core/chart/chart-port.ts';
import type { UsageStore } from '../core/usage/usage-store.ts';

/** Where figures of past days come from, and who draws them. */
export interface UsageFigures {
	readonly store: Pick<UsageStore, 'read'>;
	readonly charts: Charts;
	timeZone(): string;
}
