import type { Lift } from './room.ts';

/** Drives the lift through its cover or through one of its two switches. */
export function commandLift(
	lift: Lift,
	entityId: string,
	service: string,
	data: Readonly<Record<string, unknown>>,
): Lift {
	if (entityId === 'switch.lift_up') return relay(lift, 'relayUp', service);
	if (entityId === 'switch.lift_down') return relay(lift, 'relayDown', service);
	if (service === 'open_cover') return travel(lift, lift.position < 100 ? 1 : 0);
	if (service === 'close_cover') return travel(lift, lift.position > 0 ? -1 : 0);
	if (service === 'stop_cover') return travel(lift, 0);
	if (service === 'toggle') return travel(lift, lift.position > 0 ? -1 : 1);
	if (service !== 'set_cover_position') return lift;
	const wanted = Number(data['position']);
	return travel(lift, wanted > lift.position ? 1 : wanted < lift.position ? -1 : 0);
}

function travel(lift: Lift, direction: -1 | 0 | 1): Lift {
	const reported = direction === 0 ? 'still' : direction > 0 ? 'opening' : 'closing';
	return { ...lift, relayUp: direction > 0, relayDown: direction < 0, relaysReleaseAtEnd: true, reported };
}

/** A relay does as it is told, even against the other one: the interlock is the caller's duty. */
function relay(lift: Lift, which: 'relayUp' | 'relayDown', service: string): Lift {
	const wanted = service === 'turn_on' ? true : service === 'turn_off' ? false : !lift[which];
	return { ...lift, [which]: wanted, relaysReleaseAtEnd: false };
}
