/** ISO time of a zone with its offset, to the second: `2026-05-02T22:14:10-04:00`; UTC is `+00:00`. */
export function zonedTime(at: number, timeZone: string): string {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
		timeZoneName: 'longOffset',
	}).formatToParts(at);
	const part = (type: string) => parts.find((entry) => entry.type === type)?.value ?? '';
	const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
	return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`;
}
