import type { NeatoView } from '../core/overseer/world.ts';
import { outcomeOf, stepLimitMs } from './command-and-watch.ts';
import { neatoCommands, neatoNow, neatoStands, stopBetween, tellNeato } from './neato/driver.ts';
import { defineTool } from './tool.ts';

const words = { done: 'vacuum goes home', tried: 'told the vacuum to go home' };
const goesHome = ({ state }: NeatoView) => state === 'returning' || state === 'docked';
const isPaused = (view: NeatoView) => view.state === 'paused' || view.state === 'idle' || goesHome(view);

export const neatoSendHome = defineTool({
	name: 'neato_send_home',
	timeLimitMs: ({ settings, callDeadlineMs }) => 2 * stepLimitMs(callDeadlineMs, settings.verifyMs.neato),
	/** A robot that cleans does not hear it: it is paused first, where it can be. */
	async run(context, _args, signal) {
		const { neato } = context.room;
		if (neato === undefined) return { kind: 'failed', code: 'unsupported', summary: 'this room has no vacuum' };
		const { pause, sendHome } = neatoCommands(neato);
		if (pause !== undefined && neatoNow(context)?.state === 'cleaning') {
			const paused = await tellNeato(context, pause, isPaused, signal);
			if (paused.kind !== 'confirmed') {
				const tried = 'told the vacuum to pause before going home';
				return outcomeOf(paused, { done: '', tried });
			}
			const stop = await stopBetween(context, signal);
			if (stop === 'aborted')
				return { kind: 'failed', code: 'aborted', summary: 'vacuum is paused and was not sent home' };
			if (stop) return { kind: 'blocked', reasons: stop, summary: 'vacuum is paused: a lock came in between' };
			const now = neatoNow(context);
			if (now && goesHome(now)) return { kind: 'confirmed', summary: words.done };
		}
		return outcomeOf(await tellNeato(context, sendHome, goesHome, signal), words);
	},
	stands: (context, _args, since) => neatoStands(context, since, goesHome),
});
