import type { NeatoView } from '../core/overseer/world.ts';
import { outcomeOf, stepLimitMs } from './command-and-watch.ts';
import { neatoCommands, neatoStands, tellNeato } from './neato/driver.ts';
import { defineTool } from './tool.ts';

const isClear = (view: NeatoView) => view.connected && view.state !== 'error' && view.error === undefined;

export const neatoClearErrors = defineTool({
	name: 'neato_clear_errors',
	timeLimitMs: ({ settings, callDeadlineMs }) => stepLimitMs(callDeadlineMs, settings.verifyMs.neato),
	async run(context, _args, signal) {
		const command = context.room.neato && neatoCommands(context.room.neato).clearErrors;
		if (command === undefined)
			return { kind: 'failed', code: 'unsupported', summary: 'errors cannot be cleared from here' };
		const step = await tellNeato(context, command, isClear, signal);
		return outcomeOf(step, { done: 'vacuum errors are cleared', tried: 'told the vacuum to clear its errors' });
	},
	stands: (context, _args, since) => neatoStands(context, since, isClear),
});
