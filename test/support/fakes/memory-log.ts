import type { Log, LogFields, Metrics } from '../../../core/ports.ts';

export interface LogLine {
	readonly level: 'debug' | 'info' | 'warn' | 'error';
	readonly fields: LogFields;
	readonly message: string;
}

/** Keeps what was logged; errors among the fields stay as they are. */
export function createMemoryLog(): Log & { readonly lines: readonly LogLine[] } {
	const lines: LogLine[] = [];
	const make = (base: LogFields): Log => {
		const at = (level: LogLine['level']) => (fields: LogFields, message: string) =>
			void lines.push({ level, fields: { ...base, ...fields }, message });
		return {
			debug: at('debug'),
			info: at('info'),
			warn: at('warn'),
			error: at('error'),
			child: (fields) => make({ ...base, ...fields }),
		};
	};
	return { ...make({}), lines };
}

/** Counts by `name{label=value}`. */
export function createMemoryMetrics(): Metrics & { readonly counts: ReadonlyMap<string, number> } {
	const counts = new Map<string, number>();
	const key = (name: string, labels: Readonly<Record<string, string>> = {}) =>
		`${name}{${Object.entries(labels)
			.map(([label, value]) => `${label}=${value}`)
			.join(',')}}`;
	return {
		counts,
		count: (name, labels, by = 1) => void counts.set(key(name, labels), (counts.get(key(name, labels)) ?? 0) + by),
		gauge: (name, value, labels) => void counts.set(key(name, labels), value),
		observe: () => {},
	};
}
