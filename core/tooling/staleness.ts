import type { WorldView } from '../overseer/world.ts';
import type { PreparedCall } from './tool-arguments.ts';

export interface Touched {
	/** Entity ids where the tool names one itself; the room's devices are looked up by the caller. */
	readonly entityId?: string;
	readonly device?: 'lift' | 'neato';
}

/** What a call would touch; nothing for words and notes. */
export function touchedBy(call: PreparedCall): Touched {
	switch (call.tool) {
		case 'ha_set_entity':
		case 'ha_set_light':
			return { entityId: call.args.entity_id };
		case 'lift_up':
		case 'lift_down':
			return { device: 'lift' };
		case 'neato_start':
		case 'neato_send_home':
		case 'neato_clear_errors':
			return { device: 'neato' };
		default:
			return {};
	}
}

/**
 * Tells how what the call touches differs between the world it was decided on and now, e.g. `off to on`; undefined when
 * it does not. What one of both does not know is no difference. Scripts and the locate sound depend on no state.
 */
export function changeSince(call: PreparedCall, before: WorldView, now: WorldView): string | undefined {
	const was = facets(call, before);
	const is = facets(call, now);
	if (was === undefined || is === undefined) return undefined;
	const index = was.findIndex((facet, place) => facet !== undefined && is[place] !== undefined && facet !== is[place]);
	return index < 0 ? undefined : `${was[index]} to ${is[index]}`;
}

/** The facets that a decision is based on, in a fixed order. */
function facets(call: PreparedCall, world: WorldView): (string | undefined)[] | undefined {
	const { entityId, device } = touchedBy(call);
	if (device === 'lift') return world.lift && [world.lift.position];
	if (device === 'neato') return world.neato && [world.neato.state];
	const light = world.lights.find((item) => item.entityId === entityId);
	return light && [light.state, light.color, light.brightnessPct?.toString()];
}
