import type { ChartSpec } from '../../core/chart/chart-port.ts';
import { usageDays } from '../../core/usage/usage-days.ts';
import type { DailyUsage } from '../../core/usage/usage-store.ts';
import type { Translate } from '../catalogue.ts';
import { type ChartWords, statsChart, sumOf, totals, usageChart } from '../views/usage-charts.ts';
import type { Command, CommandDeps, CommandRequest, CommandResult } from './command.ts';

const USUAL_DAYS = 14;

type Draw = (days: readonly DailyUsage[], words: ChartWords) => ChartSpec;

async function picture(
	request: CommandRequest,
	deps: CommandDeps,
	draw: Draw,
	words: (days: readonly DailyUsage[], t: Translate) => string,
): Promise<CommandResult> {
	const { usage, clock, log } = deps;
	if (usage === undefined) return { refused: 'refused.noFigures' };
	const { t, language } = request;
	const timeZone = usage.timeZone();
	const days = await usage.store.read(usageDays(clock.now(), request.number('days') ?? USUAL_DAYS, timeZone));
	const content = words(days, t);
	try {
		const spec = draw(days, { t, language, timeZone });
		const data = await usage.charts.render(spec);
		return { content, files: [{ name: 'figures.png', data, alt: content }] };
	} catch (error) {
		// The figures are worth more than their picture.
		log.error({ error }, 'a chart could not be drawn');
		return { content: `${content}\n${t('chart.noPicture')}` };
	}
}

/** `/admin usage` and `/overseer stats`: figures of the last days as a picture. */
export const usageCommands: readonly Command[] = [
	{
		path: 'admin usage',
		action: 'usage.view',
		help: 'command.admin.usage',
		example: '/admin usage days:30',
		run: (request, deps) =>
			picture(request, deps, usageChart, (days, t) =>
				t('chart.usage.words', {
					cost: sumOf(totals(days, 'cost')).toFixed(2),
					calls: sumOf(totals(days, 'calls')),
					days: days.length,
				}),
			),
	},
	{
		path: 'overseer stats',
		action: 'usage.view',
		help: 'command.overseer.stats',
		example: '/overseer stats days:7',
		run: (request, deps) =>
			picture(request, deps, statsChart, (days, t) =>
				t('chart.stats.words', {
					decisions: sumOf(totals(days, 'decisions')),
					blocked: sumOf(totals(days, 'blocked')),
					days: days.length,
				}),
			),
	},
];
