import type { Point } from './room.ts';

export function distance(a: Point, b: Point): number {
	return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Moves at most `reach` centimetres towards a point; arrives exactly, never overshoots. */
export function moveTowards(from: Point, to: Point, reach: number): Point {
	const gap = distance(from, to);
	if (gap <= reach || gap === 0) return to;
	return { x: from.x + ((to.x - from.x) * reach) / gap, y: from.y + ((to.y - from.y) * reach) / gap };
}

/** Direction from one point to another in degrees, 0 to the right, 90 downwards. */
export function headingOf(from: Point, to: Point): number {
	return Math.round((Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI);
}

/** The next number in [0, 1) of a 32-bit sequence (mulberry32), and the state that follows it. */
function nextRandom(state: number): { readonly value: number; readonly state: number } {
	const next = (state + 0x6d2b79f5) >>> 0;
	let mixed = Math.imul(next ^ (next >>> 15), next | 1);
	mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
	return { value: ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296, state: next };
}

/** A random spot of open floor, away from walls, docks and the lift. */
export function randomFloorSpot(state: number): { readonly spot: Point; readonly state: number } {
	const first = nextRandom(state);
	const second = nextRandom(first.state);
	return { spot: { x: 60 + first.value * 290, y: 90 + second.value * 180 }, state: second.state };
}
