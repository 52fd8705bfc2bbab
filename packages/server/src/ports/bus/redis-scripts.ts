import type { RedisScript } from '../redis-link.ts';

/** Begins every script of the bus, which gets its keys in this order. */
export const KEYS = `
local META, STREAM, JOURNAL = KEYS[1], KEYS[2], KEYS[3]
local HEADS, HEAD_USES, SUBJECTS, SUBJECT_USES = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local APPENDED, APPENDED_AT = KEYS[8], KEYS[9]
local function whole(number) return string.format('%.0f', number) end
local function num(text) return tonumber(text or 0) or 0 end
`;

const SIZES = `
-- How many bytes an entry of the stream counts as, besides its text.
local FRAME = 64
local function size(text) return #text + FRAME end
`;

/** The Unix time in milliseconds. */
export const TIME = `
local time = redis.call('TIME')
local now = num(time[1]) * 1000 + math.floor(num(time[2]) / 1000)
`;

/**
 * Makes sure of an epoch in which nothing was lost or repeated, and returns its name. ARGV: the run of the server, the
 * name for a new epoch, and the name of an epoch that is known to be broken. Another run may have started from a copy
 * that is older than what was delivered. Then only the journal of that copy is used, because its messages are compared
 * with those of the database.
 */
export const PREPARE_STREAM: RedisScript = {
  text: `${KEYS}
local RUN, NEW, BROKEN = ARGV[1], ARGV[2], ARGV[3]
local function ensure(key, kind)
  local found = redis.call('TYPE', key).ok
  if found == kind or found == 'none' then return true end
  redis.call('DEL', key)
  return false
end
local is_whole = ensure(META, 'hash')
is_whole = ensure(STREAM, 'stream') and is_whole
is_whole = ensure(HEADS, 'hash') and is_whole
is_whole = ensure(HEAD_USES, 'zset') and is_whole
is_whole = ensure(SUBJECTS, 'hash') and is_whole
is_whole = ensure(SUBJECT_USES, 'zset') and is_whole
ensure(JOURNAL, 'list')
ensure(APPENDED, 'hash')
ensure(APPENDED_AT, 'zset')
local known = redis.call('HMGET', META, 'run', 'epoch', 'generation')
local run, epoch, generation = known[1], known[2], known[3]
if is_whole and epoch and run == RUN and epoch ~= BROKEN then return epoch end

local journal_bytes = 0
local length = redis.call('LLEN', JOURNAL)
for from = 0, length - 1, 256 do
  for _, entry in ipairs(redis.call('LRANGE', JOURNAL, from, from + 255)) do
    journal_bytes = journal_bytes + #entry
  end
end
${TIME}
redis.call('DEL', META, STREAM, HEADS, HEAD_USES, SUBJECTS, SUBJECT_USES)
redis.call('HSET', META, 'run', RUN, 'epoch', NEW, 'generation', whole(math.max(now, num(generation) + 1)),
  'place', '0', 'journaled', '0', 'forgotten', '0', 'bytes', '0', 'journal_bytes', whole(journal_bytes))
return NEW
`,
};

/**
 * Places as many of the publications as it can. Returns their count, the epoch, the position of the last identifier
 * that it used (0 for none), and a result for each: the position of the identifier of what was appended, after `had` if
 * its key was known, otherwise a verdict: taken, had, unknown, or missing with the last number. The count is 0 if a
 * block of identifiers is needed first, and -1 if the epoch is missing or broken; nothing was changed then.
 *
 * ARGV: whether an old block must do, how old is old in milliseconds, the first position of a block, its end, the
 * distance of its identifiers and the epoch for which it was leased, the limits of what is kept, those of the journal,
 * the name of the stream that has the journal, how many streams, subjects and keys are remembered, for how many
 * milliseconds keys are, then pairs of a head and a text.
 *
 * A head is a kind and a stream, for a numbered publication its number, the number that the caller vouches for, and its
 * subject, and for an append with a key that key. The kinds are `a` (append), `p` (publish) and `e` (end of access). A
 * text is an event's op, a space and its data, or the end of access as JSON.
 *
 * An entry is one text: the stream, for an event the mark of its epoch, its position, the Unix time in milliseconds and
 * the position of its identifier, then the text.
 */
export const PUBLISH: RedisScript = {
  text: `${KEYS}${SIZES}
local MUST_DO, OLD_MS = ARGV[1] == '1', tonumber(ARGV[2])
local FIRST, END, STEP, BLOCK_EPOCH = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], ARGV[6]
local EVENTS, BYTES, KEPT_MS = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9]
local JOURNAL_MESSAGES, JOURNAL_BYTES, JOURNALED = tonumber(ARGV[10]), tonumber(ARGV[11]), ARGV[12]
local MOST_STREAMS, MOST_SUBJECTS = tonumber(ARGV[13]), tonumber(ARGV[14])
local MOST_KEYS, KEY_MS = tonumber(ARGV[15]), tonumber(ARGV[16])
local BEFORE = 16
-- Stands for the identifier of an event that has none.
local NO_ID = '-'
-- More than one call adds, so that lower limits are reached after a while, but without a long pause.
local MOST_DROPPED = 256

local function is_wrong_key(reply) return string.find(reply.err, '^WRONGTYPE') end
local meta = redis.pcall('HMGET', META, 'epoch', 'generation', 'place', 'bytes', 'next', 'end', 'leased_at',
  'journal_bytes', 'journaled', 'step', 'forgotten', 'uses')
if meta.err then
  if is_wrong_key(meta) then return { -1, '' } end
  return meta
end
local epoch, generation, place, bytes = meta[1], meta[2], num(meta[3]), num(meta[4])
local next_id, end_id, leased_at, journal_bytes = num(meta[5]), num(meta[6]), num(meta[7]), num(meta[8])
local journaled, step, forgotten, used = num(meta[9]), num(meta[10]), num(meta[11]), num(meta[12])
if not epoch or not generation then return { -1, '' } end
${TIME}
if BLOCK_EPOCH == epoch and FIRST >= end_id then
  next_id, end_id, step, leased_at = FIRST, END, tonumber(STEP), now
end
local is_old = now - leased_at > OLD_MS or now < leased_at
local has_ids = not is_old or MUST_DO

local length = redis.pcall('XLEN', STREAM)
if type(length) == 'table' then return is_wrong_key(length) and { -1, epoch } or length end
if length == 0 then bytes = 0 end

local is_checked = false
-- Other streams and subjects have their own keys. If one of these has another type, nothing may be changed.
local function check()
  if is_checked then return end
  is_checked = true
  for command, keys in pairs({
    HLEN = { HEADS, SUBJECTS, APPENDED }, ZCARD = { HEAD_USES, SUBJECT_USES, APPENDED_AT },
  }) do
    for _, key in ipairs(keys) do
      local answer = redis.pcall(command, key)
      if type(answer) == 'table' then return answer end
    end
  end
end

local function remember(values, uses, most, name, value)
  used = used + 1
  redis.call('HSET', values, name, value)
  redis.call('ZADD', uses, used, name)
  if redis.call('ZCARD', uses) <= most then return 0 end
  redis.call('HDEL', values, redis.call('ZPOPMIN', uses)[1])
  return 1
end

-- Returns the verdict, and the last number of the subject if there is something to remember.
local function judge(subject, number, after)
  local known = redis.call('HGET', SUBJECTS, subject)
  if not known and not after then return 'unknown' end
  local last = math.max(num(known), after or 0)
  if number > last + 1 then return 'missing ' .. whole(last) end
  return number <= last and 'had' or 'taken', math.max(last, number)
end

-- The position of the identifier of what was appended with this key.
local function known_append(key)
  local at = redis.call('ZSCORE', APPENDED_AT, key)
  return at and now - num(at) < KEY_MS and redis.call('HGET', APPENDED, key)
end

local function remember_append(key, position)
  redis.call('HSET', APPENDED, key, position)
  redis.call('ZADD', APPENDED_AT, now, key)
  local old = redis.call('ZRANGEBYSCORE', APPENDED_AT, '-inf', now - KEY_MS, 'LIMIT', 0, 16)
  local over = redis.call('ZCARD', APPENDED_AT) - #old - MOST_KEYS
  if over > 0 then
    local oldest = redis.call('ZRANGE', APPENDED_AT, #old, #old + math.min(over, 16) - 1)
    for _, each in ipairs(oldest) do old[#old + 1] = each end
  end
  if #old > 0 then
    redis.call('ZREM', APPENDED_AT, unpack(old))
    redis.call('HDEL', APPENDED, unpack(old))
  end
  redis.call('PEXPIRE', APPENDED, KEY_MS)
  redis.call('PEXPIRE', APPENDED_AT, KEY_MS)
end

local function move(stream)
  if stream == JOURNALED then return '-', journaled + 1 end
  local head = redis.call('HGET', HEADS, stream)
  if not head then return whole(forgotten), 1 end
  local begun, position = string.match(head, '^(%d+) (%d+)$')
  return begun, num(position) + 1
end

local count, last_id, results = 0, 0, {}
local journal, added_bytes, added = {}, 0, 0
for i = BEFORE + 1, #ARGV, 2 do
  local head, text = ARGV[i], ARGV[i + 1]
  local kind, stream, order = string.match(head, '^(%a) (%S+) ?(.*)$')
  local key = kind == 'a' and order ~= '' and order
  local number, after, subject
  if kind ~= 'a' then number, after, subject = string.match(order, '^(%d+) (%S+) (.*)$') end
  if key or stream ~= JOURNALED or number then
    local wrong = check()
    -- Only the first publication can fail here, because this checks all keys.
    if wrong then return is_wrong_key(wrong) and count == 0 and { -1, epoch } or wrong end
  end
  local had = key and known_append(key)
  if kind == 'a' and not had and (next_id >= end_id or not has_ids) then
    if count == 0 then return { 0, epoch } end
    break
  end
  local verdict, last = had and 'had ' .. had or 'taken', nil
  if number then verdict, last = judge(subject, num(number), tonumber(after)) end
  local id = NO_ID
  if verdict == 'taken' then
    local stored = stream .. ' ' .. text
    local begun, position
    if kind ~= 'e' then
      begun, position = move(stream)
      if kind == 'a' then id = whole(next_id) end
      stored = table.concat({ stream, begun, whole(position), whole(now), id, text }, ' ')
    end
    local entry = redis.pcall('XADD', STREAM, generation .. '-' .. whole(place + 1), 'e', stored)
    if type(entry) == 'table' and entry.err then
      -- Only the first XADD can fail: if Redis accepts that, it accepts the rest of the script.
      local is_ahead = string.find(entry.err, 'equal or smaller')
      return (is_ahead or is_wrong_key(entry)) and { -1, epoch } or entry
    end
    place, added, bytes = place + 1, added + 1, bytes + size(stored)
    if kind ~= 'e' then
      if stream == JOURNALED then journaled = position
      else
        forgotten = forgotten + remember(HEADS, HEAD_USES, MOST_STREAMS, stream, begun .. ' ' .. whole(position))
      end
    end
    if kind == 'a' then
      last_id, next_id = next_id, next_id + step
      journal[#journal + 1] = id .. ' ' .. string.match(text, '^%S+ (.*)$')
      added_bytes = added_bytes + #journal[#journal]
    end
    if key then remember_append(key, id) end
  end
  if last then remember(SUBJECTS, SUBJECT_USES, MOST_SUBJECTS, subject, whole(last)) end
  count = count + 1
  results[count] = kind == 'a' and not had and id or verdict
end
length = length + added

for _ = 1, MOST_DROPPED do
  if length <= 1 or (length <= EVENTS and bytes <= BYTES) then break end
  local oldest = redis.call('XRANGE', STREAM, '-', '+', 'COUNT', 1)[1]
  redis.call('XDEL', STREAM, oldest[1])
  length, bytes = length - 1, bytes - size(oldest[2][2])
end
redis.call('PEXPIRE', STREAM, KEPT_MS)

if JOURNAL_MESSAGES > 0 and #journal > 0 then
  local waiting = redis.pcall('RPUSH', JOURNAL, unpack(journal))
  if type(waiting) == 'table' then
    redis.call('DEL', JOURNAL)
    waiting = redis.call('RPUSH', JOURNAL, unpack(journal))
  end
  journal_bytes = added_bytes + (waiting > #journal and journal_bytes or 0)
  for _ = 1, MOST_DROPPED do
    if waiting <= 1 or (waiting <= JOURNAL_MESSAGES and journal_bytes <= JOURNAL_BYTES) then break end
    local oldest = redis.call('LPOP', JOURNAL)
    waiting, journal_bytes = waiting - 1, journal_bytes - #oldest
  end
end

redis.call('HSET', META, 'place', whole(place), 'bytes', whole(bytes), 'next', whole(next_id),
  'end', whole(end_id), 'step', whole(step), 'leased_at', whole(leased_at), 'journal_bytes', whole(journal_bytes),
  'journaled', whole(journaled), 'forgotten', whole(forgotten), 'uses', whole(used))
return { count, epoch, whole(last_id), results }
`,
};

/**
 * Remembers what was appended with keys before this epoch, unless something newer is known. ARGV: `1` if this is the last part, then for
 * each its key, the position of its identifier and its Unix time in milliseconds.
 */
export const RECALL: RedisScript = {
  text: `${KEYS}
for i = 2, #ARGV, 3 do
  local key, position, at = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  -- An old copy of the data may have the key of an earlier append.
  local is_older = num(redis.call('ZSCORE', APPENDED_AT, key)) < num(at)
  if redis.call('HSETNX', APPENDED, key, position) == 1 or is_older then
    redis.call('HSET', APPENDED, key, position)
    redis.call('ZADD', APPENDED_AT, at, key)
  end
end
if ARGV[1] == '1' then redis.call('HSET', META, 'recalled', '1') end
`,
};
