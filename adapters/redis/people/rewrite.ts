import { createScript } from '../script.ts';

/** Only what is still there is replaced. KEYS list; ARGV old line, new line. */
export const REPLACE_LINE = createScript(`
local at = redis.call('LPOS', KEYS[1], ARGV[1])
if not at then return 0 end
redis.call('LSET', KEYS[1], at, ARGV[2])
return 1
`);

/**
 * A gate carries a version: a commit that is under way was computed from the old text and is made to fail.
 *
 * KEYS hash; ARGV field, old value, new value.
 */
export const REPLACE_FIELD = createScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if ARGV[1] == 'gate' then redis.call('HINCRBY', KEYS[1], 'version', 1) end
return 1
`);

/**
 * The same where the version stands apart, as a field of the same or of another hash.
 *
 * KEYS hash, versions; ARGV field, old value, new value, field of the version (empty: it has none).
 */
export const REPLACE_VERSIONED = createScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
if ARGV[4] ~= '' then redis.call('HINCRBY', KEYS[2], ARGV[4], 1) end
return 1
`);

/** KEYS string; ARGV old value, new value. */
export const REPLACE_TEXT = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
`);

/** Takes over what was appended after the copy was made, then puts the copy in place. KEYS stream, copy; ARGV last id copied. */
export const REPLACE_STREAM = createScript(`
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+')) do
  redis.call('XADD', KEYS[2], entry[1], unpack(entry[2]))
end
redis.call('RENAME', KEYS[2], KEYS[1])
return 1
`);
