import { createScript } from '../script.ts';

/**
 * Appends `count` drafts to the feed, each three texts from given[at] on: who caused it, when, and itself as JSON. `now` is
 * not read: each draft has its own time. Without `kept` the feed grows. Shared by every script that writes events; flat
 * arguments cost Redis no parsing.
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
    if i < count or not kept then redis.call('XADD', feed, id, 'w', given[at], 'a', given[at + 1], 'e', given[at + 2])
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
export const SAVE_QUESTION = createScript(
	`${APPEND_FEED}${WRITE_QUESTION}
if not isNext(KEYS[2], ARGV, 3) then return 0 end
writeQuestion({questions = KEYS[1], revisions = KEYS[2], unsettled = KEYS[3], asked = KEYS[4]}, ARGV, 3)
appendOnce(KEYS[5], KEYS[6], ARGV, 9, tonumber(ARGV[2]), ARGV[1])
return 1
`,
	['hash', 'hash', 'zset', 'zset', 'stream', 'string'],
);

/** Calls that take any number of values, with as many at once as Lua hands over; `given` ends where its pairs do. */
const MANY = `
local MOST = 4000
local function addMany(command, key, given)
  for from = 1, #given, MOST do
    redis.call(command, key, unpack(given, from, math.min(from + MOST - 1, #given)))
  end
end
local function getMany(command, key, given, first, last)
  local found = {}
  for from = first, last, MOST do
    local till = math.min(from + MOST - 1, last)
    for n, value in ipairs(redis.call(command, key, unpack(given, from, till))) do found[from - first + n] = value end
  end
  return found
end
`;

/**
 * Steps of ingest, each session's whole or not at all; what concerns all of them goes in one call, since calls and not bytes are
 * what a script costs. KEYS sessions, versions, by change, names, name of, questions, revisions, unsettled, asked, feed, counter,
 * watches, pulses, then report ids, tail and questions of each session; ARGV events kept, ms that report ids are kept, ms that their key
 * outlives them, and the changes as MessagePack, each a list in the order of the names below. ROW: empty if it stays; STAY: lines of its tail that stay
 * (-1: as it is); SWEEPS: old report ids go; RECALLED: nobody looked whether its reports are known and whether it waits for an
 * answer. Returns for each its new version, or why there is none, and for each the number of the last event.
 *
 * A version never comes twice, also not after the session was removed or an older dump was restored: it is a time.
 */
export const COMMIT_SESSIONS = createScript(
	`${APPEND_FEED}${WRITE_QUESTION}${MANY}
local ID, VERSION, NAME, ROW, PULSE, CHANGED, STAY, SWEEPS, RECALLED = 1, 2, 3, 4, 5, 6, 7, 8, 9
local LINES, REPORTS, QUESTIONS, FIRED, EVENTS = 10, 11, 12, 13, 14
local kept, keptMs, spareMs = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local changes = cmsgpack.unpack(ARGV[4])
local time = redis.call('TIME')
local ms = tonumber(time[1]) * 1000
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2])
local takenAt = string.format('%.0f', ms)
local keys = {questions = KEYS[6], revisions = KEYS[7], unsettled = KEYS[8], asked = KEYS[9]}
local function ownKeys(n) return KEYS[11 + n * 3], KEYS[12 + n * 3], KEYS[13 + n * 3] end
local ids, names = {}, {}
for n, change in ipairs(changes) do ids[n], names[n] = change[ID], change[NAME] end
local storedVersions, storedOwners = getMany('HMGET', KEYS[2], ids, 1, #ids), getMany('HMGET', KEYS[4], names, 1, #names)
local versions, owners = {}, {}
for n, id in ipairs(ids) do versions[id], owners[names[n]] = storedVersions[n] or '0', storedOwners[n] end
local anyWaits = redis.call('ZCARD', KEYS[8]) > 0

local function isKnown(reportsKey, reports)
  for _, score in ipairs(getMany('ZMSCORE', reportsKey, reports, 1, #reports)) do
    if score then return true end
  end
end
local function waits(questionsKey)
  for _, id in ipairs(redis.call('ZRANGE', questionsKey, 0, -1)) do
    if redis.call('ZSCORE', KEYS[8], id) then return true end
  end
end
local function problem(n, change)
  if versions[change[ID]] ~= change[VERSION] then return 'conflict' end
  if change[RECALLED] then
    local reportsKey, _, questionsKey = ownKeys(n)
    if isKnown(reportsKey, change[REPORTS]) or anyWaits and waits(questionsKey) then return 'conflict' end
  end
  for at = 1, #change[QUESTIONS], 6 do
    if not isNext(KEYS[7], change[QUESTIONS], at) then return 'conflict' end
  end
  for _, id in ipairs(change[FIRED]) do
    if redis.call('HEXISTS', KEYS[12], id) == 0 then return 'conflict' end
  end
  local owner = owners[change[NAME]]
  if owner and owner ~= change[ID] then return 'name_taken' end
end
local function claimName(id, name)
  if owners[name] then return end
  local before = redis.call('HGET', KEYS[5], id)
  if before then
    redis.call('HDEL', KEYS[4], before)
    owners[before] = false
  end
  redis.call('HSET', KEYS[4], name, id)
  redis.call('HSET', KEYS[5], id, name)
  owners[name] = id
end
local function writeOwn(n, change)
  local reportsKey, tailKey = ownKeys(n)
  local stay, lines, reports, questions, fired = change[STAY], change[LINES], change[REPORTS], change[QUESTIONS], change[FIRED]
  if stay == 0 then redis.call('DEL', tailKey)
  elseif stay > 0 then redis.call('LTRIM', tailKey, -stay, -1) end
  if #lines > 0 then redis.call('RPUSH', tailKey, unpack(lines)) end
  if #reports > 0 then
    local known = {}
    for _, id in ipairs(reports) do
      known[#known + 1] = takenAt
      known[#known + 1] = id
    end
    addMany('ZADD', reportsKey, known)
    if change[SWEEPS] then
      redis.call('ZREMRANGEBYSCORE', reportsKey, '-inf', ms - keptMs)
      redis.call('PEXPIRE', reportsKey, keptMs + spareMs)
    end
  end
  for at = 1, #questions, 6 do writeQuestion(keys, questions, at) end
  if #fired > 0 then redis.call('HDEL', KEYS[12], unpack(fired)) end
end

local outcomes, lasts, refused = {}, {}, {}
local rows, pulses, nextVersions, changed = {}, {}, {}, {}
local ends = feedEnd(KEYS[10], KEYS[11])
local first, newest = ends, 0
for n, change in ipairs(changes) do
  local why = problem(n, change)
  if not why then
    local id, version = change[ID], string.format('%.0f', math.max(tonumber(change[VERSION]) + 1, micros))
    claimName(id, change[NAME])
    versions[id], outcomes[n] = version, version
    local pair = #pulses
    if change[ROW] ~= '' then
      rows[#rows + 1] = id
      rows[#rows + 1] = change[ROW]
    end
    pulses[pair + 1], pulses[pair + 2] = id, change[PULSE]
    nextVersions[pair + 1], nextVersions[pair + 2] = id, version
    changed[pair + 1], changed[pair + 2] = change[CHANGED], id
    ends = ends + #change[EVENTS] / 3
    if #change[EVENTS] > 0 then newest = n end
  else
    outcomes[n], refused[n] = why, true
  end
  lasts[n] = ends
end
addMany('HSET', KEYS[1], rows)
addMany('HSET', KEYS[13], pulses)
addMany('HSET', KEYS[2], nextVersions)
addMany('ZADD', KEYS[3], changed)
for n, change in ipairs(changes) do
  if not refused[n] then
    writeOwn(n, change)
    local events = #change[EVENTS] / 3
    -- Whole blocks of the feed are given up, so once a batch is enough.
    append(KEYS[10], change[EVENTS], 1, events, n == newest and kept, lasts[n] - events)
  end
end
if ends > first then redis.call('SET', KEYS[11], string.format('%.0f', ends)) end
return {outcomes, lasts}
`,
	['hash', 'hash', 'zset', 'hash', 'hash', 'hash', 'hash', 'zset', 'zset', 'stream', 'string', 'hash', 'hash'],
);

/**
 * What ingest needs to know of sessions. KEYS sessions, versions, questions, unsettled, pulses, then report ids of each, questions of
 * each, and tail of each; ARGV how many sessions, lines of a tail, then for each: id, version that the caller has of it, how many
 * reports, how many questions, the ids of both. Returns the version of each, and then of those where there is something to say,
 * each after its place: row, pulse and tail, unless the caller's version is the stored one; places of the reports that are known;
 * unsettled questions with those asked for.
 */
export const LOAD_SESSIONS = createScript(`${MANY}
local count, lines = tonumber(ARGV[1]), -tonumber(ARGV[2])
local asks, ids = {}, {}
local at = 3
for n = 1, count do
  local reports, questions = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  asks[n] = {version = ARGV[at + 1], at = at + 4, reports = reports, questions = questions}
  ids[n] = ARGV[at]
  at = at + 4 + reports + questions
end
local versions = getMany('HMGET', KEYS[2], ids, 1, count)
local texts, known, asked = {}, {}, {}
local asking = 0
for from = 6 + count, 5 + count * 2, MOST do
  asking = asking + redis.call('EXISTS', unpack(KEYS, from, math.min(from + MOST - 1, 5 + count * 2)))
end
for n, ask in ipairs(asks) do
  versions[n] = versions[n] or '0'
  if versions[n] ~= ask.version then
    local row, pulse = redis.call('HGET', KEYS[1], ids[n]), redis.call('HGET', KEYS[5], ids[n])
    texts[#texts + 1] = {n - 1, row, pulse, redis.call('LRANGE', KEYS[5 + count * 2 + n], lines, -1)}
  end
  local places
  for place, score in ipairs(getMany('ZMSCORE', KEYS[5 + n], ARGV, ask.at, ask.at + ask.reports - 1)) do
    if score then
      places = places or {}
      places[#places + 1] = place - 1
    end
  end
  if places then known[#known + 1] = {n - 1, places} end
  if asking > 0 then
    local wanted, found = {}, {}
    for place = ask.at + ask.reports, ask.at + ask.reports + ask.questions - 1 do wanted[ARGV[place]] = true end
    for _, questionId in ipairs(redis.call('ZRANGE', KEYS[5 + count + n], 0, -1)) do
      if wanted[questionId] or redis.call('ZSCORE', KEYS[4], questionId) then
        found[#found + 1] = redis.call('HGET', KEYS[3], questionId)
      end
    end
    if #found > 0 then asked[#asked + 1] = {n - 1, found} end
  end
end
return {versions, texts, known, asked}
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
