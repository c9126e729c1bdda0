import type { RedisConnection } from '../connection.ts';

/**
 * One step from a layout to the next. It may be broken off at any point and is then run again from its beginning, so
 * every part of it must be harmless when done already.
 */
export interface Migration {
	/** Layout that it makes; the one before is this minus one. */
	readonly to: number;
	readonly what: string;
	/** Returns how many keys it changed. */
	run(redis: RedisConnection): Promise<number>;
}
