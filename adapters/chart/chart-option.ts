import type { EChartsOption } from 'echarts';
import type { ChartPanel, ChartSpec } from '../../core/chart/chart-port.ts';

/** Pixels of the drawing; the picture has twice as many. */
export const WIDTH = 760;
const HEAD = 74;
const PANEL_HEAD = 58;
const COLUMNS_HEIGHT = 170;
const BAR_HEIGHT = 26;
const GAP = 34;

/** Told apart by people who see few colours, on a dark ground (after Okabe and Ito). */
const COLOURS = ['#56b4e9', '#e69f00', '#2fc39a', '#f0e442', '#e67bb5', '#d55e00', '#9aa7ff', '#c8ccd4'];
/** Its own dark ground: what is written on it reads the same wherever the picture is shown. */
const GROUND = '#1e2128';
const INK = '#eef0f4';
const SOFT = '#aab1bf';
const LINE = '#3a404c';

const hasValues = (panel: ChartPanel) => panel.series.some(({ values }) => values.some((value) => value > 0));
const heightOf = (panel: ChartPanel) =>
	panel.kind === 'columns' || !hasValues(panel) ? COLUMNS_HEIGHT : Math.max(3, panel.categories.length) * BAR_HEIGHT;

/** Height of the whole drawing. */
export function chartHeight({ panels }: ChartSpec): number {
	return HEAD + panels.reduce((sum, panel) => sum + PANEL_HEAD + heightOf(panel) + GAP, 0);
}

function figure(value: number, unit: ChartPanel['unit']): string {
	if (unit === 'count') return value >= 10_000 ? `${Math.round(value / 1_000)}k` : String(Math.round(value * 10) / 10);
	return `$${value >= 100 ? value.toFixed(0) : value >= 0.1 || value === 0 ? value.toFixed(2) : value.toFixed(4)}`;
}

/** One drawing of all panels, one below the other. */
export function chartOption(spec: ChartSpec): EChartsOption {
	let top = HEAD;
	const placed = spec.panels.map((panel) => {
		const at = { panel, top, height: heightOf(panel) };
		top += PANEL_HEAD + at.height + GAP;
		return at;
	});
	return {
		animation: false,
		backgroundColor: GROUND,
		color: COLOURS,
		textStyle: { fontFamily: 'DejaVu Sans', color: INK },
		title: [
			{
				text: spec.title,
				subtext: spec.subtitle,
				left: 24,
				top: 16,
				textStyle: { color: INK, fontSize: 19, fontWeight: 'bold' },
				subtextStyle: { color: SOFT, fontSize: 12 },
			},
			...placed.map(({ panel, top: at }) => ({
				text: panel.title,
				left: 24,
				top: at + 8,
				textStyle: { color: INK, fontSize: 14, fontWeight: 'bold' as const },
			})),
			...placed
				.filter(({ panel }) => !hasValues(panel))
				.map(({ panel, top: at, height }) => ({
					text: panel.empty,
					left: 'center' as const,
					top: at + PANEL_HEAD + height / 2 - 14,
					textStyle: { color: SOFT, fontSize: 13, fontWeight: 'normal' as const },
				})),
		],
		legend: placed
			.filter(({ panel }) => panel.kind === 'columns' && hasValues(panel))
			.map(({ panel, top: at }) => ({
				data: panel.series.map(({ name }) => ({ name })),
				right: 24,
				top: at + 8,
				itemWidth: 12,
				itemHeight: 12,
				icon: 'rect',
				textStyle: { color: SOFT, fontSize: 12 },
			})),
		grid: placed.map(({ top: at, height, panel }) => ({
			left: panel.kind === 'bars' ? 190 : 64,
			right: panel.kind === 'bars' ? 70 : 24,
			top: at + PANEL_HEAD,
			height,
		})),
		xAxis: placed.map(({ panel }, gridIndex) =>
			panel.kind === 'columns' ? categoryAxis(panel, gridIndex) : valueAxis(panel, gridIndex),
		),
		yAxis: placed.map(({ panel }, gridIndex) =>
			panel.kind === 'columns' ? valueAxis(panel, gridIndex) : { ...categoryAxis(panel, gridIndex), inverse: true },
		),
		series: placed.flatMap(({ panel }, index) =>
			panel.series.map((series, order) => ({
				type: 'bar' as const,
				name: series.name,
				stack: `panel${index}`,
				xAxisIndex: index,
				yAxisIndex: index,
				barMaxWidth: panel.kind === 'bars' ? 16 : 34,
				itemStyle: { color: COLOURS[order % COLOURS.length] ?? SOFT },
				data: [...series.values],
				...(panel.kind === 'bars'
					? {
							label: {
								show: true,
								position: 'right' as const,
								color: INK,
								fontSize: 12,
								formatter: ({ value }: { value: unknown }) => figure(Number(value), panel.unit),
							},
						}
					: {}),
			})),
		),
	};
}

function categoryAxis(panel: ChartPanel, gridIndex: number) {
	return {
		type: 'category' as const,
		gridIndex,
		data: [...panel.categories],
		show: hasValues(panel),
		axisLine: { lineStyle: { color: LINE } },
		axisTick: { show: false },
		axisLabel: {
			color: SOFT,
			fontSize: 11,
			hideOverlap: true,
			...(panel.kind === 'bars' ? { width: 165, overflow: 'truncate' as const } : {}),
		},
	};
}

function valueAxis(panel: ChartPanel, gridIndex: number) {
	return {
		type: 'value' as const,
		gridIndex,
		show: hasValues(panel) && panel.kind === 'columns',
		minInterval: panel.unit === 'count' ? 1 : 0,
		splitNumber: 3,
		splitLine: { lineStyle: { color: LINE } },
		axisLabel: { color: SOFT, fontSize: 11, formatter: (value: number) => figure(value, panel.unit) },
	};
}
