import type { EntityState } from '../core/home/entity.ts';
import { commandAndWatch, outcomeOf, stepLimitMs } from './command-and-watch.ts';
import { labelOf, lampFields, lampShows, withinLamp } from './lamp.ts';
import { defineTool, touchedSince } from './tool.ts';

export const haSetLight = defineTool({
	name: 'ha_set_light',
	timeLimitMs: ({ settings, callDeadlineMs }) => stepLimitMs(callDeadlineMs, settings.verifyMs.light),
	async run(context, args, signal) {
		const { entity_id: entityId } = args;
		if (!entityId.startsWith('light.')) {
			return { kind: 'failed', code: 'unsupported', summary: 'an outlet can only be on or off' };
		}
		const color = withinLamp(args.color, context.home.states().get(entityId));
		const wanted = color ? { ...args, color } : args;
		const watch = {
			entityIds: [entityId],
			reached: (states: ReadonlyMap<string, EntityState>) => lampShows(states.get(entityId), wanted),
			verifyMs: context.settings.verifyMs.light,
		};
		const command = { domain: 'light', service: 'turn_on', entityId, data: lampFields(wanted) };
		const step = await commandAndWatch(context, command, watch, signal);
		const label = labelOf(context.room, entityId);
		const what = [
			wanted.brightness === undefined ? '' : `${wanted.brightness} %`,
			color === undefined ? '' : 'kelvin' in color ? `${color.kelvin} K` : `rgb ${color.rgb.join(' ')}`,
		].filter((part) => part !== '');
		return outcomeOf(step, {
			done: `${label} is at ${what.join(', ')}`,
			tried: `told ${label} to be at ${what.join(', ')}`,
		});
	},
	stands(context, args, since) {
		const state = context.home.states().get(args.entity_id);
		const color = withinLamp(args.color, state);
		return touchedSince(state, since) && lampShows(state, color ? { ...args, color } : args);
	},
});
