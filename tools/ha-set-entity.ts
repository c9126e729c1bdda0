import type { EntityState } from '../core/home/entity.ts';
import { commandAndWatch, outcomeOf, stepLimitMs } from './command-and-watch.ts';
import { labelOf, lampDomain } from './lamp.ts';
import { defineTool, touchedSince } from './tool.ts';

const services = { on: 'turn_on', off: 'turn_off' } as const;

export const haSetEntity = defineTool({
	name: 'ha_set_entity',
	timeLimitMs: ({ settings, callDeadlineMs }) => stepLimitMs(callDeadlineMs, settings.verifyMs.light),
	async run(context, { entity_id: entityId, state }, signal) {
		const domain = lampDomain(entityId);
		if (domain === undefined)
			return { kind: 'failed', code: 'unsupported', summary: 'this is neither lamp nor outlet' };
		const watch = {
			entityIds: [entityId],
			reached: (states: ReadonlyMap<string, EntityState>) => states.get(entityId)?.state === state,
			verifyMs: context.settings.verifyMs.light,
		};
		const step = await commandAndWatch(context, { domain, service: services[state], entityId }, watch, signal);
		const label = labelOf(context.room, entityId);
		return outcomeOf(step, { done: `${label} is ${state}`, tried: `told ${label} to be ${state}` });
	},
	stands(context, { entity_id: entityId, state: wanted }, since) {
		const state = context.home.states().get(entityId);
		return touchedSince(state, since) && state.state === wanted;
	},
});
