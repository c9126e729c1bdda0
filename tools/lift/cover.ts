import type { LiftSettings } from '../../config/rooms.ts';
import type { EntityState } from '../../core/home/entity.ts';
import type { CallOutcome } from '../../core/tooling/call.ts';
import { commandAndWatch, outcomeOf } from '../command-and-watch.ts';
import { type ToolContext, touchedSince } from '../tool.ts';

export type CoverLift = Extract<LiftSettings, { driver: 'cover' }>;
export type Direction = 'up' | 'down';

/** Moves a lift that is one cover: open is up, 100 is the top. Done means that it moves the right way or is there. */
export async function moveCover(
	context: ToolContext,
	lift: CoverLift,
	direction: Direction,
	signal: AbortSignal,
): Promise<CallOutcome> {
	const { entityId } = lift;
	const watch = {
		entityIds: [entityId],
		reached: (states: ReadonlyMap<string, EntityState>) => isOnTheWay(states.get(entityId), direction),
		verifyMs: context.settings.verifyMs.lift,
	};
	const service = direction === 'up' ? 'open_cover' : 'close_cover';
	const step = await commandAndWatch(context, { domain: 'cover', service, entityId }, watch, signal);
	return outcomeOf(step, { done: `lift goes ${direction}`, tried: `told the lift to go ${direction}` });
}

export function coverStands(context: ToolContext, lift: CoverLift, direction: Direction, since: number): boolean {
	const state = context.home.states().get(lift.entityId);
	return touchedSince(state, since) && isOnTheWay(state, direction);
}

/** `open` alone proves nothing for a cover that knows its position: it says so at 1 % too. */
function isOnTheWay(state: EntityState | undefined, direction: Direction): boolean {
	if (state === undefined) return false;
	const position = state.attributes['current_position'];
	const up = direction === 'up';
	if (state.state === (up ? 'opening' : 'closing')) return true;
	if (typeof position === 'number') return up ? position >= 99 : position <= 1;
	return state.state === (up ? 'open' : 'closed');
}
