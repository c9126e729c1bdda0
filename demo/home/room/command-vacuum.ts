import { randomFloorSpot } from './geometry.ts';
import { type Room, type Vacuum, vacuumDock } from './room.ts';

/**
 * What the robot does with a command. It has the manners of the real one: a paused job swallows a new start, it does not
 * go home while it cleans unless it was paused first, and it refuses to move while an error stands.
 */
export function commandVacuum(room: Room, service: string): Vacuum {
	const { vacuum } = room;
	switch (service) {
		case 'locate':
			return { ...vacuum, located: vacuum.located + 1 };
		case 'clear_errors':
			return clearError(vacuum);
		case 'powercycle':
			return { ...clearError(vacuum), activity: vacuum.activity === 'docked' ? 'docked' : 'idle' };
	}
	return vacuum.error === undefined ? commandHealthy(room, service) : vacuum;
}

function clearError({ error: _cleared, ...healthy }: Vacuum): Vacuum {
	return healthy;
}

function commandHealthy({ vacuum, random, pace }: Room, service: string): Vacuum {
	const { activity } = vacuum;
	const begin = (): Vacuum => ({
		...vacuum,
		activity: 'cleaning',
		cleanLeftMs: activity === 'paused' ? vacuum.cleanLeftMs : pace.cleanMs,
		target: randomFloorSpot(random).spot,
	});
	switch (service) {
		case 'start':
			return activity === 'cleaning' ? vacuum : begin();
		case 'house_clean':
			return activity === 'cleaning' || activity === 'paused' ? vacuum : begin();
		case 'resume':
			return activity === 'paused' ? begin() : vacuum;
		case 'pause':
			return activity === 'cleaning' ? { ...vacuum, activity: 'paused' } : vacuum;
		case 'stop':
			return activity === 'docked' ? vacuum : { ...vacuum, activity: 'idle', cleanLeftMs: 0 };
		case 'return_to_base':
			return activity === 'paused' || activity === 'idle'
				? { ...vacuum, activity: 'returning', target: vacuumDock, cleanLeftMs: 0 }
				: vacuum;
		default:
			return vacuum;
	}
}
