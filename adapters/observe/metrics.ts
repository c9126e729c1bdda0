import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../core/ports.ts';
import { METRICS } from './metric-catalogue.ts';
import type { MetricSpec } from './metric-spec.ts';

/** Different values that one label may have before the rest is counted as `other`. */
const MAX_VALUES = 60;
const PREFIX = 'majordomo_';
/** Gauges of the library that are named like counters; the same figures are there under good names. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);
/** What one collector may take of a look at the page, in milliseconds. */
const COLLECT_MS = 2_000;

type Labels = Readonly<Record<string, string>>;

export interface MetricsRegistry extends Metrics {
	readonly contentType: string;
	/** The page that Prometheus reads. Collectors are asked first; one that fails or is late changes nothing. */
	render(): Promise<string>;
	/** Adds something that is measured only when somebody looks; returns its remover. */
	onRender(collector: () => Promise<void> | void): () => void;
	/** Drops everything measured; the registry is empty afterwards. */
	stop(): void;
}

interface MetricsOptions {
	/** Hears once about each name or label that the catalogue lacks. Nothing is ever thrown into the caller. */
	readonly onMisuse?: (problem: string) => void;
	/** Memory, event loop and garbage collection of this process; on by default. */
	readonly processMetrics?: boolean;
}

const exportedName = (name: string) => (name.startsWith(PREFIX) ? name : PREFIX + name);

/** Prometheus metrics by the closed catalogue. Every registry is its own: two in one process never meet. */
export function createMetrics(options: MetricsOptions = {}): MetricsRegistry {
	const registry = new Registry();
	if (options.processMetrics ?? true) {
		collectDefaultMetrics({ register: registry, prefix: PREFIX });
		for (const name of MISNAMED) registry.removeSingleMetric(PREFIX + name);
	}
	const counters = new Map<string, Counter>();
	const gauges = new Map<string, Gauge>();
	const histograms = new Map<string, Histogram>();
	for (const [name, spec] of Object.entries<MetricSpec>(METRICS)) {
		const common = {
			name: exportedName(name),
			help: spec.help,
			labelNames: [...(spec.labels ?? [])],
			registers: [registry],
		};
		if (spec.type === 'counter') counters.set(name, new Counter(common));
		else if (spec.type === 'gauge') gauges.set(name, new Gauge(common));
		else histograms.set(name, new Histogram({ ...common, buckets: [...(spec.buckets ?? [])] }));
	}

	const told = new Set<string>();
	const misuse = (problem: string) => {
		counters.get('metrics_misused_total')?.inc();
		if (told.has(problem) || told.size >= 100) return;
		told.add(problem);
		options.onMisuse?.(problem);
	};

	const seen = new Map<string, Set<string>>();
	const bounded = (name: string, label: string, value: string): string => {
		const key = `${name} ${label}`;
		const values = seen.get(key) ?? new Set<string>();
		seen.set(key, values);
		const short = value.slice(0, 80);
		if (!values.has(short) && values.size >= MAX_VALUES) return 'other';
		values.add(short);
		return short;
	};
	/** The labels as the catalogue wants them, or undefined when they do not fit. */
	const checked = (name: string, given: Labels): Record<string, string> | undefined => {
		const wanted = (METRICS as Record<string, MetricSpec>)[name]?.labels ?? [];
		const extra = Object.keys(given).find((label) => !wanted.includes(label));
		const lacking = wanted.find((label) => given[label] === undefined);
		if (extra !== undefined) return misuse(`${name}: no label "${extra}"`) as undefined;
		if (lacking !== undefined) return misuse(`${name}: label "${lacking}" is missing`) as undefined;
		return Object.fromEntries(wanted.map((label) => [label, bounded(name, label, String(given[label]))]));
	};
	const put = (kind: string, has: boolean, name: string, given: Labels | undefined, value: number) => {
		if (!has) return misuse(`no ${kind} "${name}"`) as undefined;
		if (!Number.isFinite(value)) return misuse(`${name}: ${value} is not a figure`) as undefined;
		return checked(name, given ?? {});
	};
	const collectors = new Set<() => Promise<void> | void>();
	return {
		count(name, given, by = 1) {
			const target = counters.get(name);
			const labels = put('counter', target !== undefined, name, given, by);
			if (by < 0) misuse(`${name}: a counter only grows`);
			else if (labels) target?.inc(labels, by);
		},
		gauge(name, value, given) {
			const target = gauges.get(name);
			const labels = put('gauge', target !== undefined, name, given, value);
			if (labels) target?.set(labels, value);
		},
		observe(name, value, given) {
			const target = histograms.get(name);
			const labels = put('histogram', target !== undefined, name, given, value);
			if (labels) target?.observe(labels, value);
		},
		contentType: registry.contentType,
		async render() {
			await Promise.all([...collectors].map(collect));
			return await registry.metrics();
		},
		onRender(collector) {
			collectors.add(collector);
			return () => collectors.delete(collector);
		},
		stop: () => registry.clear(),
	};
}

async function collect(collector: () => Promise<void> | void): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, COLLECT_MS);
	});
	try {
		await Promise.race([(async () => collector())(), late]);
	} catch {
		// The last figures stay; what is broken shows by its own gauge.
	} finally {
		clearTimeout(timer);
	}
}
