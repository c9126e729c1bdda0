import { distance, headingOf, moveTowards, randomFloorSpot } from './geometry.ts';
import type { Pace, Point, Rover } from './room.ts';

const bumpDistance = 26;
const hazardMs = 4_000;
const graceMs = 6_000;

export interface SteppedRover {
	readonly rover: Rover;
	readonly random: number;
}

/** Puts a rover into the state right after it has hit something. */
export function bumpRover(rover: Rover): Rover {
	return { ...rover, hazardLeftMs: hazardMs, graceLeftMs: graceMs };
}

/** Moves one rover for some milliseconds; `obstacles` are the other moving things it may hit. */
export function stepRover(
	rover: Rover,
	obstacles: readonly Point[],
	random: number,
	pace: Pace,
	elapsedMs: number,
): SteppedRover {
	const cooled: Rover = {
		...rover,
		hazardLeftMs: Math.max(0, rover.hazardLeftMs - elapsedMs),
		graceLeftMs: Math.max(0, rover.graceLeftMs - elapsedMs),
	};
	if (cooled.activity === 'docked') {
		return { rover: { ...cooled, battery: Math.min(100, cooled.battery + elapsedMs / 20_000) }, random };
	}
	if (cooled.activity === 'stopped') return { rover: cooled, random };
	return drive(cooled, obstacles, random, pace, elapsedMs);
}

function drive(rover: Rover, obstacles: readonly Point[], random: number, pace: Pace, elapsedMs: number): SteppedRover {
	const at = moveTowards(rover.at, rover.target, (pace.driveSpeed * elapsedMs) / 1_000);
	const heading = distance(rover.at, rover.target) > 0 ? headingOf(rover.at, rover.target) : rover.heading;
	const moved = { ...rover, at, heading, battery: Math.max(3, rover.battery - elapsedMs / 12_000) };
	if (rover.activity === 'docking') {
		const parked = distance(at, rover.dock) === 0;
		return { rover: parked ? { ...moved, activity: 'docked', heading: -90 } : moved, random };
	}
	const hits = moved.graceLeftMs === 0 && obstacles.some((obstacle) => distance(obstacle, at) < bumpDistance);
	if (!hits && distance(at, rover.target) > 0) return { rover: moved, random };
	const next = randomFloorSpot(random);
	const turned = { ...moved, target: next.spot };
	return { rover: hits ? bumpRover(turned) : turned, random: next.state };
}
