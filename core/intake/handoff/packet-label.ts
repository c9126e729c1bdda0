import { sha256 } from '../hash.ts';

const DAY_MS = 86_400_000;

/** ISO week of a moment, 1 to 53, in UTC. */
export function isoWeek(at: number): number {
	const day = new Date(at);
	const weekday = (day.getUTCDay() + 6) % 7;
	// The week belongs to the year that its Thursday is in.
	const thursday = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - weekday + 3);
	const firstOfYear = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
	return Math.floor((thursday - firstOfYear) / (7 * DAY_MS)) + 1;
}

/** `[Cx>BA:WW:NN]` for people to speak of a packet; not unique, the id is. */
export function packetLabel(packetId: string, at: number): string {
	const number = Number.parseInt(sha256(packetId).slice(0, 6), 16) % 100;
	return `[Cx>BA:${String(isoWeek(at)).padStart(2, '0')}:${String(number).padStart(2, '0')}]`;
}
