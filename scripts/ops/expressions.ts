import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const alertFile = z.object({
	groups: z.array(
		z.object({
			rules: z.array(
				z.object({
					alert: z.string(),
					expr: z.string(),
					for: z.string().optional(),
					labels: z.object({ severity: z.enum(['info', 'warning', 'critical']) }),
					annotations: z.object({ summary: z.string(), action: z.string() }),
				}),
			),
		}),
	),
});

const dashboardFile = z.object({
	panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() })),
});

export interface Expression {
	/** Where it stands, for a message. */
	readonly at: string;
	readonly expr: string;
}

export type Alert = z.infer<typeof alertFile>['groups'][number]['rules'][number];

export function readAlerts(): readonly Alert[] {
	return alertFile.parse(parse(readFileSync('ops/alerts.yml', 'utf8'))).groups.flatMap(({ rules }) => rules);
}

/** Expressions of the dashboard, with its variables filled as Grafana would. */
export function dashboardExpressions(): readonly Expression[] {
	const { panels } = dashboardFile.parse(JSON.parse(readFileSync('ops/dashboard.json', 'utf8')));
	return panels.flatMap(({ title, targets = [] }) =>
		targets.map(({ expr }) => ({
			at: `panel "${title}"`,
			expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
		})),
	);
}

export interface Use {
	readonly series: string;
	/** Labels that it is selected by. */
	readonly labels: readonly string[];
}

const WORDS = new Set(
	'sum min max avg count rate increase deriv min_over_time histogram_quantile by without on ignoring group_left group_right unless and or offset bool'.split(
		' ',
	),
);

/** Series and labels that an expression names. Made for our own expressions, not for all of PromQL. */
export function usesOf(expr: string): { readonly series: readonly Use[]; readonly grouped: readonly string[] } {
	const texts = expr.replace(/"(?:[^"\\]|\\.)*"/g, '""');
	const grouped = [...texts.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
		list.split(',').map((label) => label.trim()),
	);
	const rest = texts.replace(/\b(?:by|without)\s*\([^)]*\)/g, ' ').replace(/\[[^\]]*\]/g, ' ');
	const series = [...rest.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?/g)].flatMap(([, name = '', selector = '']) => {
		if (WORDS.has(name)) return [];
		const labels = [...selector.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
		return [{ series: name, labels }];
	});
	// What stands in braces was seen with its series already.
	const inBraces = new Set(
		[...rest.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) => inner.match(/[a-zA-Z_]\w*/g) ?? []),
	);
	return { series: series.filter(({ series: name }) => !inBraces.has(name)), grouped };
}
