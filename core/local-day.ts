/** Calendar date in a time zone, `2026-11-30`: texts of this form sort as days do. */
export function localDay(at: number, timeZone: string): string {
	return dayIn(formatIn(timeZone), at);
}

/** The same for one who asks often: the calendar of a zone is made once, and that is the dear part. */
export function createLocalDay(): (at: number, timeZone: string) => string {
	const formats = new Map<string, Intl.DateTimeFormat>();
	return (at, timeZone) => {
		const format = formats.get(timeZone) ?? formatIn(timeZone);
		formats.set(timeZone, format);
		return dayIn(format, at);
	};
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
	return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
}

function dayIn(format: Intl.DateTimeFormat, at: number): string {
	const parts = format.formatToParts(at);
	const part = (type: string) => parts.find((entry) => entry.type === type)?.value ?? '';
	return `${part('year')}-${part('month')}-${part('day')}`;
}
