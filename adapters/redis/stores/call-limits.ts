import type { CallLimits } from '../../../core/access/call-limits.ts';
import type { RedisConnection } from '../connection.ts';
import { createScript } from '../script.ts';

/**
 * All or nothing, so that a call refused by one counter takes nothing from another.
 *
 * KEYS counters; ARGV amount, max and life in ms of each. Returns 0, or the number of the first that has no room.
 */
const TAKE = createScript(`
for i, key in ipairs(KEYS) do
  local used = tonumber(redis.call('GET', key) or '0') or 0
  if used + tonumber(ARGV[i * 3 - 2]) > tonumber(ARGV[i * 3 - 1]) then return i end
end
for i, key in ipairs(KEYS) do
  redis.call('INCRBY', key, ARGV[i * 3 - 2])
  if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ARGV[i * 3]) end
end
return 0
`);

/** KEYS counter; ARGV change. A counter that is gone stays gone; none goes below nothing. */
const CORRECT = createScript(`
local used = tonumber(redis.call('GET', KEYS[1]) or '')
if used == nil then return 0 end
redis.call('INCRBY', KEYS[1], string.format('%.0f', math.max(-used, tonumber(ARGV[1]))))
return 1
`);

/** Counters of model calls; all under one hash tag, so that one script may look at all of them. */
export function createCallLimits(redis: RedisConnection): CallLimits {
	const keyOf = (key: string) => redis.keys.limit(key);
	return {
		async take(windows) {
			if (windows.length === 0) return { kind: 'taken' };
			const full = await redis.run(
				TAKE,
				windows.map(({ key }) => keyOf(key)),
				windows.flatMap(({ amount, max, keepMs }) => [String(amount), String(max), String(keepMs)]),
			);
			const window = windows[Number(full) - 1];
			return window === undefined ? { kind: 'taken' } : { kind: 'full', name: window.name };
		},
		async correct(key, by) {
			await redis.run(CORRECT, [keyOf(key)], [String(by)]);
		},
	};
}
