import { createScript } from '../script.ts';

/**
 * Cooldowns: family -> "<ready at> <length ms> <call id>". Running: family -> "<until> <call id>". Budget: a sorted set
 * of call ids by the time that they were booked.
 *
 * KEYS cooldowns, running, budget; ARGV now, minute, hour. Returns the two hashes and used and oldest of both windows.
 */
export const READ = createScript(`
local now = tonumber(ARGV[1])
local function window(ms)
  local since = '(' .. (now - tonumber(ms))
  local first = redis.call('ZRANGEBYSCORE', KEYS[3], since, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  return redis.call('ZCOUNT', KEYS[3], since, '+inf'), first[2] or '0'
end
local minute, minuteOldest = window(ARGV[2])
local hour, hourOldest = window(ARGV[3])
return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), {tostring(minute), tostring(hour), minuteOldest, hourOldest}}
`);

/**
 * A call that is booked already passes again: its first reply may have been lost on the way. Times that lie ahead (the
 * clock was set back) count as now.
 *
 * KEYS cooldowns, running, budget; ARGV family, call id, now, cooldown ms, ignore cooldown, spend, per minute, per hour,
 * running until or nothing, minute, hour. Returns {result, free at}.
 */
export const ATTEMPT = createScript(`
local family, call, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
local cooldown = tonumber(ARGV[4])
local ready, length, owner = string.match(redis.call('HGET', KEYS[1], family) or '', '^(%S+) (%S+) (.+)$')
local untilAt, runner = string.match(redis.call('HGET', KEYS[2], family) or '', '^(%S+) (.+)$')
untilAt = tonumber(untilAt)
if runner == call or owner == call or redis.call('ZSCORE', KEYS[3], call) then return {'ok', '0'} end
if ARGV[9] ~= '' and runner and untilAt and untilAt > now then return {'busy', tostring(untilAt)} end
if ARGV[5] ~= '1' and tonumber(ready) then
  local free = math.min(tonumber(ready), now + tonumber(length))
  if free > now then return {'cooldown', string.format('%.0f', free)} end
end
if ARGV[6] == '1' then
  for _, ahead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. ARGV[3], '+inf')) do redis.call('ZADD', KEYS[3], now, ahead) end
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - tonumber(ARGV[11]))
  local freeAt = 0
  for _, limit in ipairs({{ARGV[7], ARGV[10]}, {ARGV[8], ARGV[11]}}) do
    local allowed, span = tonumber(limit[1]), tonumber(limit[2])
    local since = '(' .. string.format('%.0f', now - span)
    local over = redis.call('ZCOUNT', KEYS[3], since, '+inf') - allowed
    if over >= 0 then
      local entry = redis.call('ZRANGEBYSCORE', KEYS[3], since, '+inf', 'WITHSCORES', 'LIMIT', over, 1)
      freeAt = math.max(freeAt, (tonumber(entry[2]) or now) + span)
    end
  end
  if freeAt > 0 then return {'rate_limit', string.format('%.0f', freeAt)} end
  redis.call('ZADD', KEYS[3], now, call)
  redis.call('PEXPIRE', KEYS[3], ARGV[11])
end
redis.call('HSET', KEYS[1], family, string.format('%.0f', now + cooldown) .. ' ' .. ARGV[4] .. ' ' .. call)
if ARGV[9] ~= '' then redis.call('HSET', KEYS[2], family, ARGV[9] .. ' ' .. call) end
return {'ok', '0'}
`);

/** KEYS running; ARGV family, call id. */
export const RELEASE = createScript(`
local runner = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^%S+ (.+)$')
if runner == ARGV[2] then return redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
`);
