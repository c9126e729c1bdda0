import type { Room } from './room.ts';

/** State and attributes as Home Assistant would report them for one entity. */
export interface Described {
	readonly state: string;
	readonly attributes: Readonly<Record<string, unknown>>;
}

/** A button never pressed is `unknown`; afterwards its state is the time of the press. */
export function describeButton(room: Room, entityId: string, name: string): Described {
	const pressedAt = room.pressedAt[entityId];
	return {
		state: pressedAt === undefined ? 'unknown' : new Date(pressedAt).toISOString().replace('Z', '+00:00'),
		attributes: { friendly_name: name },
	};
}
