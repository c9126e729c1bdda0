import { describe, expect, test } from 'vitest';
import { chartHeight, chartOption, WIDTH } from '../../../../adapters/chart/chart-option.ts';
import { createCharts } from '../../../../adapters/chart/charts.ts';
import type { ChartSpec } from '../../../../core/chart/chart-port.ts';

const spec: ChartSpec = {
	title: 'Use <of> models & more',
	subtitle: 'Größe, 14 days',
	panels: [
		{
			kind: 'columns',
			title: 'Cost',
			unit: 'usd',
			categories: ['1', '2'],
			series: [
				{ name: 'overseer', values: [0.5, 1] },
				{ name: 'fleet', values: [0, 0.25] },
			],
			empty: 'none',
		},
		{
			kind: 'bars',
			title: 'Blocked',
			unit: 'count',
			categories: ['cooldown', 'budget'],
			series: [{ name: 'n', values: [3, 1] }],
			empty: 'none',
		},
		{ kind: 'columns', title: 'Nothing', unit: 'count', categories: ['1'], series: [], empty: 'Not measured' },
	],
};

/** Contrast of two colours as WCAG 2 defines it. */
function contrast(left: string, right: string): number {
	const light = (colour: string) => {
		const part = (at: number) => {
			const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
			return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
		};
		return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
	};
	const [low = 0, high = 0] = [light(left), light(right)].sort((a, b) => a - b);
	return (high + 0.05) / (low + 0.05);
}

describe('charts', () => {
	test('OPS-10 a spec becomes a PNG of the size it needs', async () => {
		const png = Buffer.from(await createCharts().render(spec));
		expect(png.subarray(1, 4).toString()).toBe('PNG');
		expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * WIDTH, 2 * chartHeight(spec)]);
	});

	test('OPS-10 different figures make different pictures', async () => {
		const charts = createCharts();
		const [first, ...rest] = spec.panels;
		if (first === undefined) throw new Error('no panel');
		const changed = { ...spec, panels: [{ ...first, series: [{ name: 'overseer', values: [0.9, 1] }] }, ...rest] };
		const [one, same, other] = [await charts.render(spec), await charts.render(spec), await charts.render(changed)];
		expect(Buffer.compare(one, same)).toBe(0);
		expect(Buffer.compare(one, other)).not.toBe(0);
	});

	test('OPS-10 it stands on a ground of its own, and everything on it can be told from it', () => {
		const option = chartOption(spec) as {
			backgroundColor: string;
			color: string[];
			textStyle: { color: string };
			title: { textStyle: { color: string } }[];
		};
		expect(option.backgroundColor).toMatch(/^#[0-9a-f]{6}$/);
		for (const { textStyle } of option.title)
			expect(contrast(textStyle.color, option.backgroundColor)).toBeGreaterThan(4.5);
		for (const colour of option.color) expect(contrast(colour, option.backgroundColor)).toBeGreaterThan(3);
		expect(new Set(option.color).size).toBe(option.color.length);
	});

	test('OPS-10 a panel without figures says so', () => {
		const { title } = chartOption(spec) as { title: { text: string }[] };
		expect(title.map(({ text }) => text)).toContain('Not measured');
		expect(title.map(({ text }) => text)).not.toContain('none');
	});
});
