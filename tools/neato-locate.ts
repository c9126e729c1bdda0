import { commandAndWatch, outcomeOf, stepLimitMs } from './command-and-watch.ts';
import { neatoCommands } from './neato/driver.ts';
import { defineTool } from './tool.ts';

export const neatoLocate = defineTool({
	name: 'neato_locate',
	timeLimitMs: ({ callDeadlineMs }) => stepLimitMs(callDeadlineMs, 0),
	/** No state shows a sound, so the best that can be said is that it was asked. */
	async run(context, _args, signal) {
		const { neato } = context.room;
		if (neato === undefined) return { kind: 'failed', code: 'unsupported', summary: 'this room has no vacuum' };
		const step = await commandAndWatch(context, neatoCommands(neato).locate, undefined, signal);
		return outcomeOf(step, { done: '', tried: 'told the vacuum to make a sound' });
	},
});
