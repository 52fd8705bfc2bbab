import type { RedisScript } from '../redis-link.ts';

// Every script is handed the keys of the stream in this order.
const KEYS = `
local META, STREAM, JOURNAL = KEYS[1], KEYS[2], KEYS[3]
local function whole(number) return string.format('%.0f', number) end
local function num(text) return tonumber(text or 0) or 0 end
`;

const SIZES = `
-- What an entry of the stream counts as, in bytes, beside its texts.
local FRAME = 64
local function size(message, nonce) return #message + #nonce + FRAME end
`;

/**
 * Makes sure of an epoch that nothing was lost or repeated in, and answers its name. ARGV: the run of the server, a new
 * epoch's name, and the name of an epoch that is known to be broken. Another run may have begun from a copy that is
 * older than what was handed out: nothing is gone on with that stands in it but the journal, whose messages are
 * compared with those of the database.
 */
export const GREET: RedisScript = {
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
ensure(JOURNAL, 'list')
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
local time = redis.call('TIME')
local now = num(time[1]) * 1000 + math.floor(num(time[2]) / 1000)
redis.call('DEL', META, STREAM)
redis.call('HSET', META, 'run', RUN, 'epoch', NEW, 'generation', whole(math.max(now, num(generation) + 1)),
  'position', '0', 'bytes', '0', 'journal_bytes', whole(journal_bytes))
return NEW
`,
};

/**
 * Gives as many of the messages their places as there are identifiers for, and answers how many, the epoch, and the last
 * identifier's position. 0 where it needs a block of identifiers first, -1 where the epoch is missing or broken: nothing
 * has happened then. ARGV:
 * whether an old block has to do, how old is old, a block's first and end and the epoch it was asked for in, the bounds
 * of what is kept, those of the journal, then a message and its nonce in turn.
 */
export const PUBLISH: RedisScript = {
  text: `${KEYS}${SIZES}
local MUST_DO, OLD_MS = ARGV[1] == '1', tonumber(ARGV[2])
local FIRST, END, BLOCK_EPOCH = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local EVENTS, BYTES, KEPT_MS = tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]
local JOURNAL_MESSAGES, JOURNAL_BYTES = tonumber(ARGV[9]), tonumber(ARGV[10])
local BEFORE = 10
-- More than a call adds, so that bounds that were made narrower are reached without a long pause.
local MOST_DROPPED = 256

local function is_wrong_key(reply) return string.find(reply.err, '^WRONGTYPE') end
local meta = redis.pcall('HMGET', META, 'epoch', 'generation', 'position', 'bytes', 'next', 'end', 'leased_at',
  'journal_bytes')
if meta.err then
  if is_wrong_key(meta) then return { -1, '' } end
  return meta
end
local epoch, generation, position, bytes = meta[1], meta[2], num(meta[3]), num(meta[4])
local next_id, end_id, leased_at, journal_bytes = num(meta[5]), num(meta[6]), num(meta[7]), num(meta[8])
if not epoch or not generation then return { -1, '' } end

local time = redis.call('TIME')
local now = num(time[1]) * 1000 + math.floor(num(time[2]) / 1000)
if BLOCK_EPOCH == epoch and FIRST >= end_id then next_id, end_id, leased_at = FIRST, END, now end
local is_old = now - leased_at > OLD_MS or now < leased_at
if next_id >= end_id or (is_old and not MUST_DO) then return { 0, epoch } end

local length = redis.pcall('XLEN', STREAM)
if type(length) == 'table' then return is_wrong_key(length) and { -1, epoch } or length end
if length == 0 then bytes = 0 end
local count = math.min(end_id - next_id, (#ARGV - BEFORE) / 2)
local journal, added_bytes = {}, 0
for i = 1, count do
  local message, nonce = ARGV[BEFORE + 2 * i - 1], ARGV[BEFORE + 2 * i]
  local id = whole(next_id)
  local added = redis.pcall('XADD', STREAM, generation .. '-' .. whole(position + 1), 'id', id, 'message', message,
    'nonce', nonce)
  if type(added) == 'table' and added.err then
    -- Only the first can fail: of what follows nothing is refused that was let in once.
    local is_behind = string.find(added.err, 'equal or smaller')
    return (is_behind or is_wrong_key(added)) and { -1, epoch } or added
  end
  position, next_id, bytes = position + 1, next_id + 1, bytes + size(message, nonce)
  journal[i] = id .. ' ' .. message
  added_bytes = added_bytes + #journal[i]
end
length = length + count

for _ = 1, MOST_DROPPED do
  if length <= 1 or (length <= EVENTS and bytes <= BYTES) then break end
  local oldest = redis.call('XRANGE', STREAM, '-', '+', 'COUNT', 1)[1]
  redis.call('XDEL', STREAM, oldest[1])
  length, bytes = length - 1, bytes - size(oldest[2][4], oldest[2][6])
end
redis.call('PEXPIRE', STREAM, KEPT_MS)

if JOURNAL_MESSAGES > 0 then
  local waiting = redis.pcall('RPUSH', JOURNAL, unpack(journal))
  if type(waiting) == 'table' then
    redis.call('DEL', JOURNAL)
    waiting = redis.call('RPUSH', JOURNAL, unpack(journal))
  end
  journal_bytes = added_bytes + (waiting > count and journal_bytes or 0)
  for _ = 1, MOST_DROPPED do
    if waiting <= 1 or (waiting <= JOURNAL_MESSAGES and journal_bytes <= JOURNAL_BYTES) then break end
    local oldest = redis.call('LPOP', JOURNAL)
    waiting, journal_bytes = waiting - 1, journal_bytes - #oldest
  end
end

redis.call('HSET', META, 'position', whole(position), 'bytes', whole(bytes), 'next', whole(next_id),
  'end', whole(end_id), 'leased_at', whole(leased_at), 'journal_bytes', whole(journal_bytes))
return { count, epoch, whole(next_id - 1) }
`,
};

/**
 * Answers the epoch, its generation, the position of the newest event and the oldest events that are kept behind a
 * place; nothing where there is no whole stream. ARGV: the epoch and position of the place, how many events at most.
 */
export const LOOK: RedisScript = {
  text: `${KEYS}
local meta = redis.pcall('HMGET', META, 'epoch', 'generation', 'position')
if meta.err or not meta[1] or not meta[2] then return false end
local from = '-'
if meta[1] == ARGV[1] then from = '(' .. meta[2] .. '-' .. ARGV[2] end
local entries = redis.pcall('XRANGE', STREAM, from, '+', 'COUNT', ARGV[3])
if entries.err then return false end
return { meta[1], meta[2], meta[3] or '0', entries }
`,
};

/** Drops the journal's messages up to an identifier's position, and answers how many. ARGV: that position. */
export const DROP: RedisScript = {
  text: `${KEYS}
local last = tonumber(ARGV[1])
local dropped, bytes = 0, 0
repeat
  local entries = redis.call('LRANGE', JOURNAL, 0, 255)
  local count = 0
  for _, entry in ipairs(entries) do
    if num(string.match(entry, '^%d+')) > last then break end
    count, bytes = count + 1, bytes + #entry
  end
  if count > 0 then redis.call('LTRIM', JOURNAL, count, -1) end
  dropped = dropped + count
until count < 256
-- Where there is no count the next epoch makes one.
if dropped > 0 then redis.pcall('HINCRBY', META, 'journal_bytes', -bytes) end
return dropped
`,
};
