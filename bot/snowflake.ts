const DISCORD_EPOCH = 1_420_070_400_000n;

/** Lowest id a message written at `at` (epoch ms) can have. */
export function snowflakeAt(at: number): bigint {
	const since = BigInt(Math.max(0, Math.floor(at))) - DISCORD_EPOCH;
	return since <= 0n ? 0n : since << 22n;
}

/** Epoch ms at which an id was made. */
export function snowflakeTime(id: string): number {
	return Number((BigInt(id) >> 22n) + DISCORD_EPOCH);
}
