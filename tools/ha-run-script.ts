import type { EntityState } from '../core/home/entity.ts';
import { commandAndWatch, outcomeOf, stepLimitMs } from './command-and-watch.ts';
import { labelOf } from './lamp.ts';
import { defineTool, touchedSince } from './tool.ts';

export const haRunScript = defineTool({
	name: 'ha_run_script',
	timeLimitMs: ({ settings, callDeadlineMs }) => stepLimitMs(callDeadlineMs, settings.verifyMs.light),
	/** Done means that it was started: `turn_on` does not wait for its end, which may be hours away. */
	async run(context, { script }, signal) {
		if (!script.startsWith('script.')) return { kind: 'failed', code: 'unsupported', summary: 'this is not a script' };
		const before = context.home.states().get(script);
		const label = labelOf(context.room, script);
		// One that runs already takes no second start and still answers ok: only a new start time proves anything then.
		const reached = (states: ReadonlyMap<string, EntityState>) => {
			const state = states.get(script);
			const started = state?.attributes['last_triggered'] !== before?.attributes['last_triggered'];
			return state !== undefined && (started || (before?.state === 'off' && state.state === 'on'));
		};
		const watch = { entityIds: [script], reached, verifyMs: context.settings.verifyMs.light };
		const step = await commandAndWatch(
			context,
			{ domain: 'script', service: 'turn_on', entityId: script },
			watch,
			signal,
		);
		return outcomeOf(step, { done: `script ${label} started`, tried: `told script ${label} to start` });
	},
	stands(context, { script }, since) {
		const state = context.home.states().get(script);
		return touchedSince(state, since) && state.state === 'on';
	},
});
