import { commandAndWatch, outcomeOf, stepLimitMs } from './command-and-watch.ts';
import { neatoCommands, neatoStands, stopBetween, tellNeato } from './neato/driver.ts';
import { defineTool } from './tool.ts';

const words = { done: 'vacuum cleans', tried: 'told the vacuum to start' };

export const neatoStart = defineTool({
	name: 'neato_start',
	timeLimitMs({ room: { neato }, settings, callDeadlineMs }) {
		const waitMs = neato ? neatoCommands(neato).start.pauseMs : 0;
		return callDeadlineMs + waitMs + stepLimitMs(callDeadlineMs, settings.verifyMs.neato);
	},
	async run(context, _args, signal) {
		const { neato } = context.room;
		if (neato === undefined) return { kind: 'failed', code: 'unsupported', summary: 'this room has no vacuum' };
		const { commands, pauseMs } = neatoCommands(neato).start;
		const last = commands.at(-1)!;
		for (const command of commands.slice(0, -1)) {
			const step = await commandAndWatch(context, command, undefined, signal);
			if (step.kind === 'failed' || step.kind === 'unknown') return outcomeOf(step, words);
			await context.sleep(pauseMs, signal);
			const stop = await stopBetween(context, signal);
			if (stop === 'aborted') return { kind: 'unknown', summary: 'vacuum: given up between two commands' };
			if (stop) return { kind: 'blocked', reasons: stop, summary: 'vacuum: a lock came between two commands' };
		}
		return outcomeOf(await tellNeato(context, last, (view) => view.state === 'cleaning', signal), words);
	},
	stands: (context, _args, since) => neatoStands(context, since, (view) => view.state === 'cleaning'),
});
