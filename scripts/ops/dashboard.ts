import { type Panel, ROWS } from './panels.ts';

const SOURCE = { type: 'prometheus', uid: '$' + '{datasource}' };
const WIDTH = 24;

const LIGHT = {
	1: [
		{ color: 'red', value: null },
		{ color: 'green', value: 1 },
	],
	0: [
		{ color: 'green', value: null },
		{ color: 'red', value: 1 },
	],
	any: [{ color: 'blue', value: null }],
} as const;

function looks({ good, unit = 'short', stacked }: Panel) {
	if (good !== undefined)
		return {
			type: 'stat',
			fieldConfig: { defaults: { unit, thresholds: { mode: 'absolute', steps: LIGHT[good] } }, overrides: [] },
			options: {
				colorMode: 'background',
				textMode: 'value_and_name',
				reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
			},
		};
	const custom = {
		lineWidth: 1,
		fillOpacity: stacked ? 20 : 5,
		stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
	};
	return {
		type: 'timeseries',
		fieldConfig: { defaults: { unit, min: 0, custom }, overrides: [] },
		options: {
			legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
			tooltip: { mode: 'multi', sort: 'desc' },
		},
	};
}

/** Panels of one row in lines of the grid, below `top`. */
function place(panels: readonly Panel[], top: number, firstId: number) {
	let [x, y, tallest] = [0, top, 0];
	const placed = panels.map((panel, index) => {
		const [w, h] = panel.good === undefined ? [8, 8] : [panel.title === 'Parts' ? 6 : 3, 4];
		if (x + w > WIDTH) [x, y, tallest] = [0, y + tallest, 0];
		const gridPos = { x, y, w, h };
		x += w;
		tallest = Math.max(tallest, h);
		return {
			id: firstId + index,
			title: panel.title,
			description: panel.about ?? '',
			datasource: SOURCE,
			gridPos,
			...looks(panel),
			targets: panel.queries.map(({ expr, legend }, number) => ({
				refId: String.fromCharCode(65 + number),
				datasource: SOURCE,
				expr,
				legendFormat: legend,
			})),
		};
	});
	return { placed, bottom: y + tallest };
}

/** The dashboard for Grafana as the text of its file: one panel a line. */
export function dashboardText(): string {
	const panels: object[] = [];
	let top = 0;
	for (const row of ROWS) {
		const gridPos = { x: 0, y: top, w: WIDTH, h: 1 };
		panels.push({ id: panels.length + 1, type: 'row', title: row.title, collapsed: false, gridPos, panels: [] });
		const { placed, bottom } = place(row.panels, top + 1, panels.length + 1);
		panels.push(...placed);
		top = bottom;
	}
	const processes = 'label_values(majordomo_build_info, instance)';
	const dashboard = {
		uid: 'majordomo',
		title: 'Majordomo',
		tags: ['majordomo'],
		schemaVersion: 39,
		version: 1,
		editable: true,
		timezone: 'browser',
		refresh: '30s',
		time: { from: 'now-6h', to: 'now' },
		graphTooltip: 1,
		annotations: { list: [] },
		links: [],
		templating: {
			list: [
				{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source', refresh: 1, hide: 0 },
				{
					name: 'instance',
					type: 'query',
					label: 'Process',
					datasource: SOURCE,
					query: processes,
					definition: processes,
					refresh: 2,
					includeAll: true,
					multi: true,
					allValue: '.*',
					current: { text: 'All', value: '$__all' },
					sort: 1,
					hide: 0,
				},
			],
		},
	};
	const head = JSON.stringify(dashboard, null, '\t').replace(/\n\}$/, '');
	return `${head},\n\t"panels": [\n${panels.map((panel) => `\t\t${JSON.stringify(panel)}`).join(',\n')}\n\t]\n}\n`;
}
