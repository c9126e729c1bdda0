import { createScript } from '../script.ts';

/**
 * The head of a room is a hash: `version`, `gate` (JSON), `message-seq`, `event-seq`, `reset`. Lines are kept as
 * "<seq> <json>", so that the JSON stays exactly as it was written.
 *
 * KEYS head, lines, ids, due; ARGV seq field, id, json, lines kept, ids kept, room id, now. Returns the new seq, 0 for a
 * known id.
 */
export const APPEND = createScript(
	`
if redis.call('ZSCORE', KEYS[3], ARGV[2]) then return 0 end
local seq = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('RPUSH', KEYS[2], seq .. ' ' .. ARGV[3])
redis.call('LTRIM', KEYS[2], -tonumber(ARGV[4]), -1)
redis.call('ZADD', KEYS[3], seq, ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -1 - tonumber(ARGV[5]))
redis.call('ZADD', KEYS[4], 'LT', ARGV[7], ARGV[6])
return seq
`,
	['hash', 'list', 'zset', 'zset'],
);

/** KEYS head, messages, events, own contexts; ARGV messages, events, now. */
export const READ = createScript(`
local function newest(key, count)
  if tonumber(count) <= 0 then return {} end
  return redis.call('LRANGE', key, -tonumber(count), -1)
end
local head = redis.call('HMGET', KEYS[1], 'version', 'gate', 'reset', 'message-seq', 'event-seq')
for i = 1, 5 do head[i] = head[i] or '' end
return {head, newest(KEYS[2], ARGV[1]), newest(KEYS[3], ARGV[2]), redis.call('ZRANGEBYSCORE', KEYS[4], ARGV[3], '+inf')}
`);

/**
 * Writes the gate if `version` is still the one it was computed from. Something that came in after the snapshot has a
 * seq above those that were seen: then the room stays due, however far away the next look was planned.
 *
 * KEYS head, due; ARGV version, gate, due at, room id, message seq seen, event seq seen. Returns 1 when written.
 */
export const COMMIT = createScript(
	`
local head = redis.call('HMGET', KEYS[1], 'version', 'message-seq', 'event-seq')
if tonumber(head[1] or 0) ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'gate', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'version', 1)
local unread = tonumber(head[2] or 0) > tonumber(ARGV[5]) or tonumber(head[3] or 0) > tonumber(ARGV[6])
if unread then redis.call('ZADD', KEYS[2], 'LT', ARGV[3], ARGV[4])
else redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4]) end
return 1
`,
	['hash', 'zset'],
);

/**
 * A commit that is under way was computed without knowing of this mark and would move it away: it is made to fail.
 *
 * KEYS head, due; ARGV at, room id.
 */
export const MARK_DUE = createScript(
	`
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('ZADD', KEYS[2], 'LT', ARGV[1], ARGV[2])
return 1
`,
	['hash', 'zset'],
);

/** KEYS own contexts; ARGV context id, now, kept until, milliseconds to keep. */
export const ADD_CONTEXT = createScript(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[2])
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`);
