import type { EChartsOption } from 'echarts';
import type { ChartPanel, ChartSpec } from '../../core/chart/chart-port.ts';

/** Pixels of the drawing; the picture has twice as many. Chats show it at about three quarters of this. */
export const WIDTH = 760;
const MARGIN = 24;
const HEAD = 76;
const PANEL_HEAD = 46;
const FOOT = 40;
const TALL = 150;
const EMPTY = 56;
const BAR = 24;

/** Told apart by people who see few colours, on a dark ground (after Okabe and Ito). */
const COLOURS = ['#56b4e9', '#e69f00', '#2fc39a', '#f0e442', '#e67bb5', '#d55e00', '#9aa7ff', '#c8ccd4'];
/** Its own dark ground: what is written on it reads the same wherever the picture is shown. */
const GROUND = '#1e2128';
const INK = '#eef0f4';
const SOFT = '#b4bac7';
const LINE = '#3a404c';

interface Placed {
	readonly panel: ChartPanel;
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

const hasValues = (panel: ChartPanel) => panel.series.some(({ values }) => values.some((value) => value > 0));

function heightOf(panel: ChartPanel): number {
	if (!hasValues(panel)) return EMPTY;
	return panel.kind === 'columns' ? TALL : Math.max(4, panel.categories.length) * BAR;
}

/** The first panel over the whole width, the others two by two below it: nearly as wide as high, as chats show pictures best. */
function place({ panels }: ChartSpec): { placed: readonly Placed[]; height: number } {
	const [first, ...rest] = panels;
	const rows = [...(first === undefined ? [] : [[first]])];
	for (let at = 0; at < rest.length; at += 2) rows.push(rest.slice(at, at + 2));
	const placed: Placed[] = [];
	let top = HEAD;
	for (const row of rows) {
		const height = Math.max(...row.map(heightOf));
		const width = WIDTH / row.length;
		for (const [column, panel] of row.entries()) placed.push({ panel, left: column * width, top, width, height });
		top += PANEL_HEAD + height + FOOT;
	}
	return { placed, height: top };
}

/** Height of the whole drawing. */
export function chartHeight(spec: ChartSpec): number {
	return place(spec).height;
}

function figure(value: number, unit: ChartPanel['unit']): string {
	if (unit === 'count') return value >= 10_000 ? `${Math.round(value / 1_000)}k` : String(Math.round(value * 10) / 10);
	return `$${value >= 100 ? value.toFixed(0) : value >= 0.1 || value === 0 ? value.toFixed(2) : value.toFixed(4)}`;
}

/** One drawing of all panels. */
export function chartOption(spec: ChartSpec): EChartsOption {
	const { placed } = place(spec);
	const title = (text: string, left: number, top: number, fontSize: number) => ({
		text,
		left,
		top,
		textStyle: { color: INK, fontSize, fontWeight: 'bold' as const },
	});
	return {
		animation: false,
		backgroundColor: GROUND,
		color: COLOURS,
		textStyle: { fontFamily: 'DejaVu Sans', color: INK },
		title: [
			{
				...title(spec.title, MARGIN, 14, 20),
				subtext: spec.subtitle,
				subtextStyle: { color: SOFT, fontSize: 13 },
			},
			...placed.map(({ panel, left, top }) => title(panel.title, left + MARGIN, top + 6, 15)),
			...placed
				.filter(({ panel }) => !hasValues(panel))
				.map(({ panel, left, top }) => ({
					text: panel.empty,
					left: left + MARGIN,
					top: top + PANEL_HEAD - 6,
					textStyle: { color: SOFT, fontSize: 13, fontWeight: 'normal' as const },
				})),
		],
		legend: placed
			.filter(({ panel }) => panel.kind === 'columns' && hasValues(panel))
			.map(({ panel, left, top, width }) => ({
				data: panel.series.map(({ name }) => ({ name })),
				right: WIDTH - left - width + MARGIN,
				top: top + 8,
				itemWidth: 12,
				itemHeight: 12,
				itemGap: 12,
				icon: 'rect',
				textStyle: { color: SOFT, fontSize: 13 },
			})),
		grid: placed.map(({ panel, left, top, width, height }) => {
			const isBars = panel.kind === 'bars';
			const inset = isBars ? 120 : 66;
			return { left: left + inset, top: top + PANEL_HEAD, width: width - inset - (isBars ? 56 : MARGIN), height };
		}),
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
				barMaxWidth: panel.kind === 'bars' ? 15 : 34,
				itemStyle: { color: COLOURS[order % COLOURS.length] ?? SOFT },
				data: [...series.values],
				...(panel.kind === 'bars'
					? {
							label: {
								show: true,
								position: 'right' as const,
								color: INK,
								fontSize: 13,
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
			fontSize: 12,
			hideOverlap: true,
			...(panel.kind === 'bars' ? { width: 96, overflow: 'truncate' as const } : {}),
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
		axisLabel: { color: SOFT, fontSize: 12, formatter: (value: number) => figure(value, panel.unit) },
	};
}
