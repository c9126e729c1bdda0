import { localDay } from '../local-day.ts';

const HOUR_MS = 3_600_000;

/** The last `count` calendar dates of a time zone, oldest first, today last; each once, also where a clock is changed. */
export function usageDays(now: number, count: number, timeZone: string): readonly string[] {
	const days: string[] = [];
	for (let at = now; days.length < count; at -= HOUR_MS) {
		const day = localDay(at, timeZone);
		if (days[0] !== day) days.unshift(day);
	}
	return days;
}
