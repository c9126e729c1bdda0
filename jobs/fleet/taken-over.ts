import type { ConciergeState } from '../../core/fleet/concierge-state.ts';

/** Another worker goes on with this one's turn, having taken it for dead: whatever is left to do is the other's. */
export class TurnTakenOver extends Error {
	override readonly name = 'TurnTakenOver';
	readonly code = 'turn_taken_over';
}

export function isTakenOver({ inFlight }: ConciergeState, wakeId: string, self: string): boolean {
	return inFlight?.wake.id === wakeId && inFlight.worker !== self;
}
