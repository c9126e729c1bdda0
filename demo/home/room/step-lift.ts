import type { Lift, Pace } from './room.ts';

/** Which way the motor turns: both relays at once block it. */
export function liftDirection(lift: Lift): -1 | 0 | 1 {
	if (lift.relayUp === lift.relayDown) return 0;
	return lift.relayUp ? 1 : -1;
}

/** Moves the lift for some milliseconds; stops at the ends, releases the relays there when the cover drove it. */
export function stepLift(lift: Lift, pace: Pace, elapsedMs: number): Lift {
	const direction = liftDirection(lift);
	if (direction === 0) return settle(lift, 'still');
	const motion = direction > 0 ? 'opening' : 'closing';
	if (lift.jam === 'stuck') return { ...lift, reported: motion };
	const moved = lift.position + (direction * elapsedMs * 100) / pace.liftTravelMs;
	const position = Math.min(100, Math.max(0, moved));
	const atEnd = direction > 0 ? position >= 100 : position <= 0;
	if (!atEnd) return { ...lift, position, reported: motion };
	const ended = lift.relaysReleaseAtEnd
		? { ...lift, position, relayUp: false, relayDown: false }
		: { ...lift, position };
	return settle(ended, 'still');
}

/** A lift that never reports keeps claiming its last motion after it has stopped. */
function settle(lift: Lift, reported: Lift['reported']): Lift {
	return lift.jam === 'never_reports' ? lift : { ...lift, reported };
}
