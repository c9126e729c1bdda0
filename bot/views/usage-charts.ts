import type { ChartPanel, ChartSpec } from '../../core/chart/chart-port.ts';
import { LATENCY_BOUNDS } from '../../core/usage/usage-fields.ts';
import type { DailyUsage } from '../../core/usage/usage-store.ts';
import type { Language, Translate } from '../catalogue.ts';

const PARTS = ['rooms', 'intakes', 'fleet'];
const MODES = ['SKIP', 'CHAT', 'ACTION', 'ACTION+CHAT'];
/** Reasons that are shown by name; rarer ones are summed up. */
const MAX_REASONS = 8;

export interface ChartWords {
	readonly t: Translate;
	readonly language: Language;
	readonly timeZone: string;
}

/** What language models cost and how often they were asked, by day and part of the house. */
export function usageChart(days: readonly DailyUsage[], words: ChartWords): ChartSpec {
	const { t } = words;
	const by = (group: string) => seriesOf(days, group, partsOf(days, group, PARTS));
	return {
		title: t('chart.usage.title'),
		subtitle: subtitle(days, words),
		panels: [
			columns(days, words, t('chart.usage.cost'), 'usd', by('cost'), t('chart.usage.noCost')),
			columns(days, words, t('chart.usage.calls'), 'count', by('calls'), t('chart.empty')),
			columns(days, words, t('chart.usage.tokens'), 'count', seriesOf(days, 'tokens', tokens(days)), t('chart.empty')),
		],
	};
}

/** What was decided in the rooms, what it was refused, and how long it took. */
export function statsChart(days: readonly DailyUsage[], words: ChartWords): ChartSpec {
	const { t } = words;
	const decisions = seriesOf(days, 'decisions', partsOf(days, 'decisions', MODES));
	const blocked = Object.entries(totals(days, 'blocked')).sort(([, left], [, right]) => right - left);
	const rest = blocked.slice(MAX_REASONS).reduce((sum, [, amount]) => sum + amount, 0);
	const reasons = [
		...blocked.slice(0, MAX_REASONS),
		...(rest > 0 ? [[t('chart.stats.otherReasons'), rest] as const] : []),
	];
	const latency = totals(days, 'latency');
	const slots = [
		...LATENCY_BOUNDS.map((bound) => [`le${bound}`, `≤ ${bound} s`] as const),
		['more', '> 60 s'] as const,
	];
	return {
		title: t('chart.stats.title'),
		subtitle: subtitle(days, words),
		panels: [
			columns(days, words, t('chart.stats.decisions'), 'count', decisions, t('chart.stats.noDecisions')),
			{
				kind: 'bars',
				title: t('chart.stats.blocked'),
				unit: 'count',
				categories: reasons.map(([reason]) => reason.replaceAll('_', ' ')),
				series: [{ name: t('chart.stats.blocked'), values: reasons.map(([, amount]) => amount) }],
				empty: t('chart.stats.noBlocked'),
			},
			{
				kind: 'bars',
				title: t('chart.stats.latency'),
				unit: 'count',
				categories: slots.map(([, label]) => label),
				series: [{ name: t('chart.stats.latency'), values: slots.map(([part]) => latency[part] ?? 0) }],
				empty: t('chart.stats.noDecisions'),
			},
		],
	};
}

/** Sum of a group over all days, by part. */
export function totals(days: readonly DailyUsage[], group: string): Readonly<Record<string, number>> {
	const sums: Record<string, number> = {};
	for (const { amounts } of days)
		for (const [field, amount] of Object.entries(amounts))
			if (field.startsWith(`${group}:`)) {
				const part = field.slice(group.length + 1);
				sums[part] = (sums[part] ?? 0) + amount;
			}
	return sums;
}

export function sumOf(parts: Readonly<Record<string, number>>): number {
	return Object.values(parts).reduce((sum, amount) => sum + amount, 0);
}

/** The usual parts first and in their order, so that a colour keeps its meaning from picture to picture. */
function partsOf(days: readonly DailyUsage[], group: string, usual: readonly string[]): readonly string[] {
	const others = Object.keys(totals(days, group)).filter((part) => !usual.includes(part));
	return [...usual, ...others.sort()];
}

const tokens = (days: readonly DailyUsage[]) => partsOf(days, 'tokens', ['input', 'output']);

function seriesOf(days: readonly DailyUsage[], group: string, parts: readonly string[]) {
	return parts
		.map((name) => ({ name, values: days.map(({ amounts }) => amounts[`${group}:${name}`] ?? 0) }))
		.filter(({ values }) => values.some((value) => value > 0));
}

function columns(
	days: readonly DailyUsage[],
	{ language }: ChartWords,
	title: string,
	unit: ChartPanel['unit'],
	series: ChartPanel['series'],
	empty: string,
): ChartPanel {
	const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
	const categories = days.map(({ day }) => format.format(Date.parse(`${day}T00:00:00Z`)));
	return { kind: 'columns', title, unit, categories, series, empty };
}

function subtitle(days: readonly DailyUsage[], { t, timeZone }: ChartWords): string {
	return t('chart.subtitle', { days: days.length, zone: timeZone });
}
