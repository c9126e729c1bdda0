import { createScript } from '../script.ts';

/** Appends drafts to the feed; shared by every script that writes events. `now` is not read: each draft has its own time. */
const APPEND_FEED = `
local function append(feed, counter, events, kept)
  if #events == 0 then return tonumber(redis.call('GET', counter) or 0) end
  local last = redis.call('INCRBY', counter, #events)
  local newest = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)
  if newest[1] then
    local top = tonumber(string.match(newest[1][1], '^%d+'))
    if top > last - #events then
      last = top + #events
      redis.call('SET', counter, last)
    end
  end
  for i, event in ipairs(events) do
    redis.call('XADD', feed, 'MAXLEN', '~', kept, (last - #events + i) .. '-0', 'w', event.w, 'a', event.a, 'e', event.e)
  end
  return last
end
local function writeQuestion(keys, question)
  redis.call('HSET', keys.questions, question.id, question.json)
  redis.call('HSET', keys.revisions, question.id, question.revision)
  redis.call('ZADD', keys.asked, question.openedAt, question.id)
  redis.call('ZADD', question.ofSession, question.openedAt, question.id)
  if question.unsettled then redis.call('ZADD', keys.unsettled, question.openedAt, question.id)
  else redis.call('ZREM', keys.unsettled, question.id) end
end
local function isNext(revisions, question)
  return tonumber(redis.call('HGET', revisions, question.id) or 0) == question.revision - 1
end
`;

/** KEYS feed, counter; ARGV events (JSON), events kept. Returns the last number. */
export const APPEND = createScript(`${APPEND_FEED}
return append(KEYS[1], KEYS[2], cjson.decode(ARGV[1]), ARGV[2])
`);

/**
 * One atomic step of ingest. KEYS sessions, versions, by change, names, name of, reports, questions, revisions, unsettled,
 * asked, feed, counter, watches; ARGV change (JSON), events kept, ms that report ids are kept.
 */
export const COMMIT_SESSION = createScript(`${APPEND_FEED}
local change = cjson.decode(ARGV[1])
if tonumber(redis.call('HGET', KEYS[2], change.id) or 0) ~= change.version then return {'conflict'} end
for _, question in ipairs(change.questions) do
  if not isNext(KEYS[8], question) then return {'conflict'} end
end
local owner = redis.call('HGET', KEYS[4], change.name)
if owner and owner ~= change.id then return {'name_taken'} end
local before = redis.call('HGET', KEYS[5], change.id)
if before and before ~= change.name then redis.call('HDEL', KEYS[4], before) end
redis.call('HSET', KEYS[4], change.name, change.id)
redis.call('HSET', KEYS[5], change.id, change.name)
redis.call('HSET', KEYS[1], change.id, change.json)
redis.call('HINCRBY', KEYS[2], change.id, 1)
redis.call('ZADD', KEYS[3], change.updatedAt, change.id)
if #change.reportIds > 0 then
  local now = redis.call('TIME')
  local ms = tonumber(now[1]) * 1000
  for _, id in ipairs(change.reportIds) do redis.call('ZADD', KEYS[6], ms, id) end
  redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', ms - tonumber(ARGV[3]))
  redis.call('PEXPIRE', KEYS[6], ARGV[3])
end
local keys = {questions = KEYS[7], revisions = KEYS[8], unsettled = KEYS[9], asked = KEYS[10]}
for _, question in ipairs(change.questions) do writeQuestion(keys, question) end
for _, id in ipairs(change.fired) do redis.call('HDEL', KEYS[13], id) end
return {'stored', append(KEYS[11], KEYS[12], change.events, ARGV[2])}
`);

/** KEYS questions, revisions, unsettled, asked, feed, counter; ARGV question (JSON), events (JSON), events kept. */
export const SAVE_QUESTION = createScript(`${APPEND_FEED}
local question = cjson.decode(ARGV[1])
if not isNext(KEYS[2], question) then return 0 end
writeQuestion({questions = KEYS[1], revisions = KEYS[2], unsettled = KEYS[3], asked = KEYS[4]}, question)
append(KEYS[5], KEYS[6], cjson.decode(ARGV[2]), ARGV[3])
return 1
`);

/**
 * Counts events after a cursor that somebody else caused, without handing their texts out.
 * KEYS feed, counter; ARGV after, own id. Returns last number, foreign ones, time of the first.
 */
export const FEED_FACTS = createScript(`
local after = tonumber(ARGV[1])
local foreign, first = 0, ''
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local last = newest[1] and tonumber(string.match(newest[1][1], '^%d+')) or tonumber(redis.call('GET', KEYS[2]) or 0)
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)
if oldest[1] then
  local from = tonumber(string.match(oldest[1][1], '^%d+'))
  if from > after + 1 then
    foreign = from - after - 1
    first = oldest[1][2][4]
  end
end
local start = '(' .. after .. '-18446744073709551615'
while true do
  local page = redis.call('XRANGE', KEYS[1], start, '+', 'COUNT', 500)
  for _, entry in ipairs(page) do
    if entry[2][2] ~= ARGV[2] then
      foreign = foreign + 1
      if first == '' then first = entry[2][4] end
    end
  end
  if #page < 500 then break end
  start = '(' .. page[#page][1]
end
return {last, foreign, first}
`);

/** KEYS inbox, ids, counters; ARGV session, id, draft (JSON without its end brace), most that may wait, ms ids are kept. */
export const PUT_INBOX = createScript(`
local known = redis.call('HGET', KEYS[2], ARGV[2])
if known then return {'duplicate', tonumber(known)} end
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[4]) then return {'full', 0} end
local seq = redis.call('HINCRBY', KEYS[3], ARGV[1], 1)
redis.call('RPUSH', KEYS[1], seq .. ' ' .. ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], seq)
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return {'queued', seq}
`);

/** KEYS inbox; ARGV seq. Returns what was dropped. */
export const ACK_INBOX = createScript(`
local dropped = {}
while true do
  local head = redis.call('LINDEX', KEYS[1], 0)
  if not head or tonumber(string.match(head, '^%d+')) > tonumber(ARGV[1]) then return dropped end
  dropped[#dropped + 1] = redis.call('LPOP', KEYS[1])
end
`);

/** KEYS hash; ARGV version, JSON. */
export const COMMIT_VERSIONED = createScript(`
if tonumber(redis.call('HGET', KEYS[1], 'version') or 0) ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'version', 1)
return 1
`);
