import type { Point, Room, Rover, Running } from './room.ts';
import { stepLift } from './step-lift.ts';
import { stepRover } from './step-rover.ts';
import { stepVacuum } from './step-vacuum.ts';

const sliceMs = 100;

/** Lets time pass in the room. Long spans are cut into slices, so that one long step meets the same bumps as many short ones. */
export function stepRoom(room: Room, elapsedMs: number): Room {
	let current = room;
	for (let leftMs = Math.max(0, elapsedMs); leftMs > 0; leftMs -= sliceMs) {
		current = stepSlice(current, Math.min(sliceMs, leftMs));
	}
	return current;
}

function stepSlice(room: Room, elapsedMs: number): Room {
	const cleaned = stepVacuum(room.vacuum, room.random, room.pace, elapsedMs);
	const driven = stepRovers(room.rovers, cleaned.vacuum.at, cleaned.random, room, elapsedMs);
	return {
		...room,
		random: driven.random,
		lift: stepLift(room.lift, room.pace, elapsedMs),
		vacuum: cleaned.vacuum,
		rovers: driven.rovers,
		scripts: stepScripts(room.scripts, elapsedMs),
	};
}

function stepRovers(rovers: Room['rovers'], vacuumAt: Point, random: number, room: Room, elapsedMs: number) {
	const result: Record<string, Rover> = { ...rovers };
	let state = random;
	for (const [id, rover] of Object.entries(rovers)) {
		const others = Object.entries(result).filter(([other]) => other !== id);
		const obstacles = [vacuumAt, ...others.map(([, other]) => other.at)];
		const stepped = stepRover(rover, obstacles, state, room.pace, elapsedMs);
		result[id] = stepped.rover;
		state = stepped.random;
	}
	return { rovers: result, random: state };
}

function stepScripts(scripts: Room['scripts'], elapsedMs: number): Room['scripts'] {
	const entries = Object.entries(scripts);
	if (entries.length === 0) return scripts;
	const left = entries
		.map(([id, running]): [string, Running] => [id, { leftMs: running.leftMs - elapsedMs }])
		.filter(([, running]) => running.leftMs > 0);
	return Object.fromEntries(left);
}
