import { localDay } from '../../core/local-day.ts';
import type { Clock, Log, Metrics } from '../../core/ports.ts';
import { usageField } from '../../core/usage/usage-fields.ts';
import type { UsageStore } from '../../core/usage/usage-store.ts';

export interface UsageMetricsDeps<Target extends Metrics> {
	readonly metrics: Target;
	readonly store: Pick<UsageStore, 'add'>;
	timeZone(): string;
	readonly clock: Clock;
	readonly log: Log;
	/** Sums are written this often; what was measured since is lost with a process that is killed. */
	readonly everyMs?: number;
}

const EVERY_MS = 2_000;

/**
 * The same metrics, and what charts show of them is also summed up by day in a store that outlives the process. A store
 * that cannot be reached gets the sums later.
 */
export function createUsageMetrics<Target extends Metrics>(deps: UsageMetricsDeps<Target>) {
	const { metrics, store, clock, log } = deps;
	const days = new Map<string, Map<string, number>>();
	let writing: Promise<void> | undefined;
	let isTold = false;

	const keep = (kind: 'count' | 'observe', name: string, labels: Readonly<Record<string, string>>, value: number) => {
		const found = usageField(kind, name, labels, value);
		if (found === undefined) return;
		const day = localDay(clock.now(), deps.timeZone());
		const sums = days.get(day) ?? new Map<string, number>();
		days.set(day, sums);
		sums.set(found[0], (sums.get(found[0]) ?? 0) + found[1]);
	};

	const writeAll = async () => {
		for (const [day, sums] of [...days]) {
			days.delete(day);
			try {
				await store.add(day, Object.fromEntries(sums));
				isTold = false;
			} catch (error) {
				const newer = days.get(day) ?? new Map<string, number>();
				for (const [field, amount] of sums) newer.set(field, (newer.get(field) ?? 0) + amount);
				days.set(day, newer);
				if (!isTold) log.warn({ error }, 'figures for charts could not be stored; tried again');
				isTold = true;
				return;
			}
		}
	};
	const write = () => {
		writing ??= writeAll().finally(() => {
			writing = undefined;
		});
		return writing;
	};
	const timer = setInterval(() => void write(), deps.everyMs ?? EVERY_MS);
	timer.unref();

	return {
		metrics: {
			...metrics,
			count(name, labels, by) {
				metrics.count(name, labels, by);
				keep('count', name, labels ?? {}, by ?? 1);
			},
			observe(name, value, labels) {
				metrics.observe(name, value, labels);
				keep('observe', name, labels ?? {}, value);
			},
		} as Target,
		/** Writes what is left. */
		async stop() {
			clearInterval(timer);
			await writing;
			await write();
		},
	};
}
