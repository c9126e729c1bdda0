import type { LimitName } from '../model/model-port.ts';
import type { LimitWindow } from './limits.ts';

/** Counters that all processes share. */
export interface CallLimits {
	/** Counts in all windows, or in none when one of them has no room. Rejects when the store is away. */
	take(windows: readonly LimitWindow[]): Promise<{ kind: 'taken' } | { kind: 'full'; name: LimitName }>;
	/** Corrects one counter that was taken from, such as the cost of a call that turned out cheaper. */
	correct(key: string, by: number): Promise<void>;
}
