import type { LiftView } from '../overseer/world.ts';
import type { BlockReason } from './facts.ts';

export type LiftTool = 'lift_up' | 'lift_down';

/**
 * Why the lift may not be moved now. Moving already there is left to `liftIsThere`: the offer stays, the call is refused.
 * A lift stuck in a motion state is never moved of our own accord, only when a person asks.
 */
export function liftReasons(lift: LiftView | undefined, direct: boolean): BlockReason[] {
	if (lift === undefined) return [{ code: 'unavailable', detail: 'not_found' }];
	if (!lift.available) return [{ code: 'unavailable', detail: 'offline' }];
	if (lift.position === 'conflict') return [{ code: 'unavailable', detail: 'conflict' }];
	if (lift.busy) return [{ code: 'busy', detail: 'moving' }];
	const isAtEnd = lift.position === 'up' || lift.position === 'down';
	return lift.stale === true && !isAtEnd && !direct ? [{ code: 'unavailable', detail: 'stuck' }] : [];
}

/** It stands where the call would bring it. */
export function liftIsThere(tool: LiftTool, lift: LiftView | undefined): boolean {
	return lift !== undefined && !lift.busy && lift.position === (tool === 'lift_up' ? 'up' : 'down');
}
