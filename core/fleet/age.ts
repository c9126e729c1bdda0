const MINUTE = 60_000;

/** A length of time in its largest unit: `40s`, `2m`, `3h`, `5d`. */
export function shortTime(ms: number): string {
	const minutes = Math.floor(Math.max(0, ms) / MINUTE);
	if (minutes < 1) return `${Math.floor(Math.max(0, ms) / 1_000)}s`;
	if (minutes < 60) return `${minutes}m`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** `2m ago`, or `just now`. */
export function ago(at: number, now: number): string {
	return now - at < 10_000 ? 'just now' : `${shortTime(now - at)} ago`;
}
