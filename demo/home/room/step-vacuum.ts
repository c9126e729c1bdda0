import { distance, moveTowards, randomFloorSpot } from './geometry.ts';
import { type Pace, type Vacuum, vacuumDock } from './room.ts';

export interface SteppedVacuum {
	readonly vacuum: Vacuum;
	readonly random: number;
}

/** Moves the vacuum for some milliseconds. A robot in error stands still until the error is cleared. */
export function stepVacuum(vacuum: Vacuum, random: number, pace: Pace, elapsedMs: number): SteppedVacuum {
	if (vacuum.error !== undefined) return { vacuum, random };
	if (vacuum.activity === 'cleaning') return clean(vacuum, random, pace, elapsedMs);
	if (vacuum.activity === 'returning') {
		const at = moveTowards(vacuum.at, vacuumDock, (pace.driveSpeed * elapsedMs) / 1_000);
		const activity = distance(at, vacuumDock) === 0 ? 'docked' : 'returning';
		return { vacuum: { ...vacuum, at, activity, target: vacuumDock }, random };
	}
	if (vacuum.activity === 'docked' && vacuum.battery < 100) {
		return { vacuum: { ...vacuum, battery: Math.min(100, vacuum.battery + elapsedMs / 30_000) }, random };
	}
	return { vacuum, random };
}

function clean(vacuum: Vacuum, random: number, pace: Pace, elapsedMs: number): SteppedVacuum {
	const cleanLeftMs = vacuum.cleanLeftMs - elapsedMs;
	const battery = Math.max(5, vacuum.battery - elapsedMs / 6_000);
	const at = moveTowards(vacuum.at, vacuum.target, (pace.driveSpeed * elapsedMs) / 1_000);
	if (cleanLeftMs <= 0) {
		return { vacuum: { ...vacuum, at, battery, cleanLeftMs: 0, activity: 'returning', target: vacuumDock }, random };
	}
	if (distance(at, vacuum.target) > 0) return { vacuum: { ...vacuum, at, battery, cleanLeftMs }, random };
	const next = randomFloorSpot(random);
	return { vacuum: { ...vacuum, at, battery, cleanLeftMs, target: next.spot }, random: next.state };
}
