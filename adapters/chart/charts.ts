import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { init } from 'echarts';
import { ChartFailed, type Charts } from '../../core/chart/chart-port.ts';
import { chartHeight, chartOption, WIDTH } from './chart-option.ts';

const require = createRequire(import.meta.url);
const FONTS = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'];

/** Draws with ECharts, without a browser, and turns the drawing into a PNG with fonts of its own: a server has none. */
export function createCharts(): Charts {
	const fontFiles = FONTS.map((name) => require.resolve(`dejavu-fonts-ttf/ttf/${name}`));
	return {
		async render(spec) {
			try {
				const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: chartHeight(spec) });
				try {
					chart.setOption(chartOption(spec));
					const drawing = new Resvg(chart.renderToSVGString(), {
						fitTo: { mode: 'zoom', value: 2 },
						font: { fontFiles, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' },
					});
					return drawing.render().asPng();
				} finally {
					chart.dispose();
				}
			} catch (error) {
				throw new ChartFailed('the picture could not be drawn', { cause: error });
			}
		},
	};
}
