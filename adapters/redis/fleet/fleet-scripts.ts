import { createScript } from '../script.ts';
import { UNPACK_TEXTS } from './packed.ts';

/**
 * Appends `count` drafts to the feed, each three texts from given[at] on: who caused it, when, and itself as JSON. `now` is
 * not read: each draft has its own time. Shared by every script that writes events; flat arguments cost Redis no parsing.
 */
const APPEND_FEED = `
local function feedEnd(feed, counter)
  local last = tonumber(redis.call('GET', counter) or 0)
  local newest = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)
  return newest[1] and math.max(last, tonumber(string.match(newest[1][1], '^%d+'))) or last
end
local function append(feed, given, at, count, kept, last)
  for i = 1, count do
    local id = string.format('%.0f-0', last + i)
    if i < count then redis.call('XADD', feed, id, 'w', given[at], 'a', given[at + 1], 'e', given[at + 2])
    else redis.call('XADD', feed, 'MAXLEN', '~', kept, id, 'w', given[at], 'a', given[at + 1], 'e', given[at + 2]) end
    at = at + 3
  end
  return last + count
end
local function appendOnce(feed, counter, given, at, count, kept)
  if count == 0 then return end
  local last = append(feed, given, at, count, kept, feedEnd(feed, counter))
  redis.call('SET', counter, string.format('%.0f', last))
  return last
end
`;

/** A question is six texts from given[at] on: id, revision, JSON, when asked, whether unsettled, key of its session's questions. */
const WRITE_QUESTION = `
local function writeQuestion(keys, given, at)
  local id, openedAt = given[at], given[at + 3]
  redis.call('HSET', keys.questions, id, given[at + 2])
  redis.call('HSET', keys.revisions, id, given[at + 1])
  redis.call('ZADD', keys.asked, openedAt, id)
  redis.call('ZADD', given[at + 5], openedAt, id)
  if given[at + 4] == '1' then redis.call('ZADD', keys.unsettled, openedAt, id)
  else redis.call('ZREM', keys.unsettled, id) end
end
local function isNext(revisions, given, at)
  return tonumber(redis.call('HGET', revisions, given[at]) or 0) == tonumber(given[at + 1]) - 1
end
`;

/** KEYS feed, counter; ARGV events kept, how many events, then the events. Returns the last number. */
export const APPEND = createScript(`${APPEND_FEED}
return appendOnce(KEYS[1], KEYS[2], ARGV, 3, tonumber(ARGV[2]), ARGV[1])
`);

/** KEYS questions, revisions, unsettled, asked, feed, counter; ARGV events kept, how many events, the question, then the events. */
export const SAVE_QUESTION = createScript(`${APPEND_FEED}${WRITE_QUESTION}
if not isNext(KEYS[2], ARGV, 3) then return 0 end
writeQuestion({questions = KEYS[1], revisions = KEYS[2], unsettled = KEYS[3], asked = KEYS[4]}, ARGV, 3)
appendOnce(KEYS[5], KEYS[6], ARGV, 9, tonumber(ARGV[2]), ARGV[1])
return 1
`);

/**
 * Steps of ingest, each session's whole or not at all. KEYS sessions, versions, by change, names, name of, questions, revisions,
 * unsettled, asked, feed, counter, watches, then report ids and tail of each session; ARGV events kept, ms that report ids are
 * kept, and packed texts, for each session: id, version, name, JSON, when changed, lines of its tail that stay (-1: as it is), and how many
 * lines, reports, questions, watches and events follow. Returns for each the outcome, and the new version or nothing.
 *
 * A version never comes twice, also not after the session was removed or an older dump was restored: it is a time.
 */
export const COMMIT_SESSIONS = createScript(`${UNPACK_TEXTS}${APPEND_FEED}${WRITE_QUESTION}
local kept, keptMs = ARGV[1], tonumber(ARGV[2])
local given = unpackTexts(ARGV[3], ARGV[4])
local time = redis.call('TIME')
local ms = tonumber(time[1]) * 1000
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2])
local keys = {questions = KEYS[6], revisions = KEYS[7], unsettled = KEYS[8], asked = KEYS[9]}
local outcomes = {}
local first = feedEnd(KEYS[10], KEYS[11])
local last = first
local function commit(at, place)
  local id, version, name = given[at], given[at + 1], given[at + 2]
  local lines, reports, questions, fired, events =
    tonumber(given[at + 6]), tonumber(given[at + 7]), tonumber(given[at + 8]), tonumber(given[at + 9]), tonumber(given[at + 10])
  local linesAt = at + 11
  local reportsAt = linesAt + lines
  local questionsAt = reportsAt + reports
  local firedAt = questionsAt + questions * 6
  local eventsAt = firedAt + fired
  local after = eventsAt + events * 3
  local stored = redis.call('HGET', KEYS[2], id) or '0'
  if stored ~= version then return after, 'conflict' end
  for n = 0, questions - 1 do
    if not isNext(KEYS[7], given, questionsAt + n * 6) then return after, 'conflict' end
  end
  for n = 0, fired - 1 do
    if redis.call('HEXISTS', KEYS[12], given[firedAt + n]) == 0 then return after, 'conflict' end
  end
  local owner = redis.call('HGET', KEYS[4], name)
  if owner and owner ~= id then return after, 'name_taken' end
  if not owner then
    local before = redis.call('HGET', KEYS[5], id)
    if before then redis.call('HDEL', KEYS[4], before) end
    redis.call('HSET', KEYS[4], name, id)
    redis.call('HSET', KEYS[5], id, name)
  end
  local nextVersion = string.format('%.0f', math.max(tonumber(version) + 1, micros))
  redis.call('HSET', KEYS[1], id, given[at + 3])
  redis.call('HSET', KEYS[2], id, nextVersion)
  redis.call('ZADD', KEYS[3], given[at + 4], id)
  local stay = tonumber(given[at + 5])
  if stay == 0 then redis.call('DEL', place.tail)
  elseif stay > 0 then redis.call('LTRIM', place.tail, -stay, -1) end
  if lines > 0 then redis.call('RPUSH', place.tail, unpack(given, linesAt, linesAt + lines - 1)) end
  if reports > 0 then
    for from = 0, reports - 1, 1000 do
      local known = {}
      for n = from, math.min(from + 1000, reports) - 1 do
        known[#known + 1] = ms
        known[#known + 1] = given[reportsAt + n]
      end
      redis.call('ZADD', place.reports, unpack(known))
    end
    redis.call('ZREMRANGEBYSCORE', place.reports, '-inf', ms - keptMs)
    redis.call('PEXPIRE', place.reports, keptMs)
  end
  for n = 0, questions - 1 do writeQuestion(keys, given, questionsAt + n * 6) end
  if fired > 0 then redis.call('HDEL', KEYS[12], unpack(given, firedAt, firedAt + fired - 1)) end
  last = append(KEYS[10], given, eventsAt, events, kept, last)
  return after, 'stored', nextVersion
end
local at, key = 1, 13
while given[at] do
  local after, kind, version = commit(at, {reports = KEYS[key], tail = KEYS[key + 1]})
  outcomes[#outcomes + 1] = {kind, version or '', last}
  at, key = after, key + 2
end
if last > first then redis.call('SET', KEYS[11], string.format('%.0f', last)) end
return outcomes
`);

/**
 * What ingest needs to know of sessions. KEYS sessions, versions, questions, unsettled, then report ids, questions and tail of
 * each; ARGV for each: id, version that the caller has of it, how many reports, how many questions, the ids of both. Returns for
 * each its version, its JSON and tail (nothing when the caller's version is the stored one), places of the reports that are
 * known, and its unsettled questions with those asked for.
 */
export const LOAD_SESSIONS = createScript(`
local found = {}
local at, key = 1, 5
while ARGV[at] do
  local id, reports, questions = ARGV[at], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local version = redis.call('HGET', KEYS[2], id) or '0'
  local json, tail = false, {}
  if version ~= ARGV[at + 1] then
    json = redis.call('HGET', KEYS[1], id)
    tail = redis.call('LRANGE', KEYS[key + 2], 0, -1)
  end
  at = at + 4
  local known = {}
  for from = 0, reports - 1, 1000 do
    local till = math.min(from + 1000, reports) - 1
    local scores = redis.call('ZMSCORE', KEYS[key], unpack(ARGV, at + from, at + till))
    for n, score in ipairs(scores) do if score then known[#known + 1] = from + n - 1 end end
  end
  at = at + reports
  local asked, texts = {}, {}
  for n = 0, questions - 1 do asked[ARGV[at + n]] = true end
  at = at + questions
  for _, questionId in ipairs(redis.call('ZRANGE', KEYS[key + 1], 0, -1)) do
    if asked[questionId] or redis.call('ZSCORE', KEYS[4], questionId) then
      texts[#texts + 1] = redis.call('HGET', KEYS[3], questionId)
    end
  end
  key = key + 3
  found[#found + 1] = {version, json, tail, known, texts}
end
return found
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
elseif last > after then
  foreign, first = last - after, '0'
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
