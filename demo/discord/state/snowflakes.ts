const discordEpochMs = 1_420_070_400_000n;

/** Hands out ids as Discord does: ordered by time, unique, and readable as a date by any client. */
export function createSnowflakes(now: () => number): () => string {
	let lastMs = 0n;
	let increment = 0n;
	return () => {
		let atMs = BigInt(Math.floor(now()));
		if (atMs < lastMs) atMs = lastMs;
		if (atMs === lastMs) increment += 1n;
		else increment = 0n;
		if (increment > 4095n) {
			atMs += 1n;
			increment = 0n;
		}
		lastMs = atMs;
		return (((atMs - discordEpochMs) << 22n) | increment).toString();
	};
}

/** Orders two snowflakes by age, oldest first. */
export function compareSnowflakes(left: string, right: string): number {
	const a = BigInt(left);
	const b = BigInt(right);
	return a < b ? -1 : a > b ? 1 : 0;
}

export function isSnowflake(value: unknown): value is string {
	return typeof value === 'string' && /^\d{15,20}$/.test(value);
}
