import { randomFloorSpot } from './geometry.ts';
import type { LiftJam, Room, Rover } from './room.ts';
import { bumpRover } from './step-rover.ts';

/** What a person in the room can do that goes past Home Assistant: push, jam, take a rover. */
export type Poke =
	| { readonly kind: 'drive'; readonly rover: string; readonly driver?: string }
	| { readonly kind: 'dock' | 'stop' | 'bump'; readonly rover: string }
	| { readonly kind: 'jam_lift'; readonly jam: LiftJam }
	| { readonly kind: 'vacuum_error'; readonly error: string }
	| { readonly kind: 'vacuum_alert'; readonly alert: string }
	| { readonly kind: 'presence'; readonly present: boolean }
	| { readonly kind: 'press'; readonly button: string };

/** Applies a poke; an unknown rover leaves the room as it is. */
export function pokeRoom(room: Room, poke: Poke, now: number): Room {
	switch (poke.kind) {
		case 'jam_lift': {
			const reported = poke.jam === 'none' ? 'still' : room.lift.reported;
			return { ...room, lift: { ...room.lift, jam: poke.jam, reported } };
		}
		case 'vacuum_error': {
			const { error: _old, ...healthy } = room.vacuum;
			return { ...room, vacuum: poke.error === '' ? healthy : { ...healthy, error: poke.error } };
		}
		case 'vacuum_alert': {
			const { alert: _old, ...quiet } = room.vacuum;
			return { ...room, vacuum: poke.alert === '' ? quiet : { ...quiet, alert: poke.alert } };
		}
		case 'presence':
			return { ...room, somebodyPresent: poke.present };
		case 'press':
			return { ...room, pressedAt: { ...room.pressedAt, [poke.button]: now } };
		default:
			return pokeRover(room, poke);
	}
}

function pokeRover(room: Room, poke: Extract<Poke, { readonly rover: string }>): Room {
	const rover = Object.hasOwn(room.rovers, poke.rover) ? room.rovers[poke.rover] : undefined;
	if (!rover) return room;
	const random = randomFloorSpot(room.random);
	const rovers = { ...room.rovers, [poke.rover]: pokedRover(rover, poke, random.spot) };
	return { ...room, rovers, random: random.state };
}

function pokedRover(rover: Rover, poke: Extract<Poke, { readonly rover: string }>, spot: Rover['target']): Rover {
	switch (poke.kind) {
		case 'drive':
			return { ...rover, activity: 'driving', target: spot, driver: poke.driver ?? rover.driver };
		case 'dock':
			return { ...rover, activity: rover.activity === 'docked' ? 'docked' : 'docking', target: rover.dock };
		case 'stop':
			return { ...rover, activity: rover.activity === 'docked' ? 'docked' : 'stopped' };
		case 'bump':
			return bumpRover({ ...rover, target: rover.activity === 'driving' ? spot : rover.target });
	}
}
