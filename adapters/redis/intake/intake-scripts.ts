import { createScript, type KeyType, type Script } from '../script.ts';
import type { IntakeKeys } from './intake-keys.ts';

/** All keys of one session, in the order in which every script below knows them. */
export function sessionKeys(keys: IntakeKeys, id: string, requesterId = ''): string[] {
	return [
		keys.session(id),
		keys.events(id),
		keys.seen(id),
		keys.work(id),
		keys.claims(id),
		keys.out('discord', id),
		keys.out('cxp', id),
		keys.outIds(id),
		keys.calls(id),
		keys.due,
		keys.effects,
		keys.showing('discord'),
		keys.showing('cxp'),
		keys.deletion,
		keys.all,
		keys.threads,
		keys.requester(requesterId),
	];
}

const NAMES = `
local session, events, seen, work, claims = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local outs, out_ids, calls = {discord = KEYS[6], cxp = KEYS[7]}, KEYS[8], KEYS[9]
local due, effects, showing = KEYS[10], KEYS[11], {discord = KEYS[12], cxp = KEYS[13]}
local deletion, all, threads, requester = KEYS[14], KEYS[15], KEYS[16], KEYS[17]

local function put_out(surface, id, item_id, sealed, now)
  if redis.call('SADD', out_ids, item_id) == 0 then return 0 end
  redis.call('RPUSH', outs[surface], item_id .. ' ' .. sealed)
  redis.call('ZADD', showing[surface], 'NX', now, id)
  return 1
end

local function put_effects(json, id, now)
  for _, effect in ipairs(cjson.decode(json)) do
    if effect[1] == 'work' then
      if redis.call('HSETNX', work, effect[2], effect[3]) == 1 then
        -- Its job is on the way; it is only looked for when that was lost.
        redis.call('ZADD', effects, string.format('%.0f', now + 3000), id .. ' ' .. effect[2])
      end
    else
      put_out(effect[1], id, effect[2], effect[3], now)
    end
  end
end

local function put_event(id, sealed, now)
  local seq = redis.call('HINCRBY', session, 'seq', 1)
  redis.call('RPUSH', events, seq .. ' ' .. sealed)
  redis.call('ZADD', due, 'LT', now, id)
  return seq
end

local function head_seq()
  local head = redis.call('LINDEX', events, 0)
  return head and string.match(head, '^(%d+) ')
end
`;

/** Types of the keys as `sessionKeys` gives them. */
const TYPES: readonly KeyType[] = [
	...(['hash', 'list', 'zset', 'hash', 'hash'] as const),
	...(['list', 'list', 'set', 'list'] as const),
	...(['zset', 'zset', 'zset', 'zset'] as const),
	...(['zset', 'zset', 'hash', 'zset'] as const),
];
const withNames = (source: string): Script => createScript(NAMES + source, TYPES);

/**
 * KEYS as in sessionKeys and the once key; ARGV id, meta (JSON list of field and value in turn), thread, created at, ms that
 * the once id is known, sealed first event ('' = none), its name, topic. Gives '' or the id of the session that is there.
 */
export const OPEN = withNames(`
local once = KEYS[18]
if ARGV[3] ~= '' then
  local there = redis.call('HGET', threads, ARGV[3])
  if there then return there end
end
local before = redis.call('GET', once)
if before then return before end
if redis.call('EXISTS', session) == 1 then return ARGV[1] end
redis.call('SET', once, ARGV[1], 'PX', ARGV[5])
redis.call('HSET', session, unpack(cjson.decode(ARGV[2])))
redis.call('ZADD', all, ARGV[4], ARGV[1])
redis.call('ZADD', requester, ARGV[4], ARGV[1])
if ARGV[3] ~= '' then redis.call('HSET', threads, ARGV[3], ARGV[1]) end
if ARGV[6] ~= '' then
  redis.call('ZADD', seen, ARGV[4], ARGV[7])
  put_event(ARGV[1], ARGV[6], ARGV[4])
  redis.call('PUBLISH', ARGV[8], ARGV[1])
end
return ''
`);

/** ARGV id, sealed event, name ('' = never the same), now, topic, names kept. Gives the seq, 0 known, -1 no session. */
export const APPEND = withNames(`
if redis.call('EXISTS', session) == 0 then return -1 end
if ARGV[3] ~= '' then
  if redis.call('ZADD', seen, 'NX', ARGV[4], ARGV[3]) == 0 then return 0 end
  redis.call('ZREMRANGEBYRANK', seen, 0, -1 - tonumber(ARGV[6]))
end
local seq = put_event(ARGV[1], ARGV[2], ARGV[4])
redis.call('PUBLISH', ARGV[5], ARGV[1])
return seq
`);

/**
 * ARGV id, revision expected, revision now, sealed state ('' = unchanged), meta as in OPEN, wake at ('' = never),
 * deletion at ('' = lives), seq of the used-up event ('' = none), effects, now, topic. Gives 0 when somebody was faster, 1 when
 * written, 2 when further events wait.
 */
export const COMMIT = withNames(`
local head = redis.call('HMGET', session, 'revision', 'keep', 'body')
if head[1] ~= ARGV[2] then return 0 end
if ARGV[8] ~= '' then
  if head_seq() ~= ARGV[8] then return 0 end
  redis.call('LPOP', events)
  redis.call('HSET', session, 'taken', ARGV[8])
end
if ARGV[4] ~= '' then
  if head[3] then redis.call('HSET', session, 'good', head[3]) end
  redis.call('HSET', session, 'revision', ARGV[3], 'body', ARGV[4], unpack(cjson.decode(ARGV[5])))
end
put_effects(ARGV[9], ARGV[1], ARGV[10])
if ARGV[6] == '' then redis.call('HDEL', session, 'wake') else redis.call('HSET', session, 'wake', ARGV[6]) end
if redis.call('LLEN', events) > 0 then redis.call('ZADD', due, ARGV[10], ARGV[1])
elseif ARGV[6] ~= '' then redis.call('ZADD', due, ARGV[6], ARGV[1])
else redis.call('ZREM', due, ARGV[1]) end
if ARGV[7] == '' then
  redis.call('ZREM', deletion, ARGV[1])
  redis.call('HDEL', session, 'delete')
elseif ARGV[4] ~= '' then
  local at = math.max(tonumber(ARGV[7]), tonumber(head[2] or 0))
  redis.call('ZADD', deletion, at, ARGV[1])
  redis.call('HSET', session, 'delete', string.format('%.0f', at))
end
redis.call('PUBLISH', ARGV[11], ARGV[1])
return redis.call('LLEN', events) > 0 and 2 or 1
`);

/** ARGV seq. Throws away an event that cannot be read. */
export const SKIP = withNames(`
if head_seq() ~= ARGV[1] then return 0 end
redis.call('LPOP', events)
redis.call('HSET', session, 'taken', ARGV[1])
return 1
`);

/**
 * ARGV id, effect, claim, until, now, claim that may be taken over ('' = none), look again at. Gives nothing when the effect
 * is gone, the other's claim, or '' and the sealed effect.
 */
export const CLAIM = withNames(`
local sealed = redis.call('HGET', work, ARGV[2])
if not sealed then
  redis.call('ZREM', effects, ARGV[1] .. ' ' .. ARGV[2])
  return {}
end
local other = redis.call('HGET', claims, ARGV[2])
if other then
  local untilAt, by = string.match(other, '^(%d+) (.*)$')
  if tonumber(untilAt) > tonumber(ARGV[5]) and by ~= ARGV[6] then return {by} end
end
redis.call('HSET', claims, ARGV[2], ARGV[4] .. ' ' .. ARGV[3])
redis.call('ZADD', effects, ARGV[7], ARGV[1] .. ' ' .. ARGV[2])
return {'', sealed}
`);

/** ARGV id, effect, look again at. */
export const RELEASE = withNames(`
redis.call('HDEL', claims, ARGV[2])
if redis.call('HEXISTS', work, ARGV[2]) == 1 then redis.call('ZADD', effects, ARGV[3], ARGV[1] .. ' ' .. ARGV[2]) end
return 1
`);

/** ARGV id, effect, sealed outcome ('' = none), now, topic. Gives 0 when the effect was settled before. */
export const SETTLE = withNames(`
redis.call('HDEL', claims, ARGV[2])
redis.call('ZREM', effects, ARGV[1] .. ' ' .. ARGV[2])
if redis.call('HDEL', work, ARGV[2]) == 0 then return 0 end
if ARGV[3] ~= '' then
  put_event(ARGV[1], ARGV[3], ARGV[4])
  redis.call('PUBLISH', ARGV[5], ARGV[1])
end
return 1
`);

/** KEYS a list of what is due; ARGV now, at most, again at. Gives what was due and puts it off. */
export const TAKE_DUE = createScript(`
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, member in ipairs(found) do redis.call('ZADD', KEYS[1], 'XX', ARGV[3], member) end
return found
`);

/** ARGV id, surface, item id, sealed item, now, topic. */
export const PUT_OUT = withNames(`
if redis.call('EXISTS', session) == 0 then return -1 end
local added = put_out(ARGV[2], ARGV[1], ARGV[3], ARGV[4], ARGV[5])
redis.call('PUBLISH', ARGV[6], ARGV[1])
return added
`);

/** ARGV id, surface, item id, again at. Takes the item off; gives 1 while there is more. */
export const SHOWN = withNames(`
local head = redis.call('LINDEX', outs[ARGV[2]], 0)
if head and string.sub(head, 1, #ARGV[3] + 1) == ARGV[3] .. ' ' then redis.call('LPOP', outs[ARGV[2]]) end
if redis.call('LLEN', outs[ARGV[2]]) == 0 then
  redis.call('ZREM', showing[ARGV[2]], ARGV[1])
  return 0
end
redis.call('ZADD', showing[ARGV[2]], 'XX', ARGV[4], ARGV[1])
return 1
`);

/** ARGV id, until. Gives 1 when there is such a session. */
export const KEEP = withNames(`
if redis.call('EXISTS', session) == 0 then return 0 end
redis.call('HSET', session, 'keep', ARGV[2])
local at = redis.call('HGET', session, 'delete')
if at then
  local later = string.format('%.0f', math.max(tonumber(at), tonumber(ARGV[2])))
  redis.call('HSET', session, 'delete', later)
  redis.call('ZADD', deletion, later, ARGV[1])
end
return 1
`);

/** ARGV id. Leaves nothing of the session. */
export const DELETE = createScript(`${NAMES}
local thread = redis.call('HGET', session, 'thread')
if thread and redis.call('HGET', threads, thread) == ARGV[1] then redis.call('HDEL', threads, thread) end
for _, effect in ipairs(redis.call('HKEYS', work)) do redis.call('ZREM', effects, ARGV[1] .. ' ' .. effect) end
for _, index in ipairs({due, showing.discord, showing.cxp, deletion, all, requester}) do redis.call('ZREM', index, ARGV[1]) end
return redis.call('DEL', session, events, seen, work, claims, outs.discord, outs.cxp, out_ids, calls) > 0 and 1 or 0
`);
