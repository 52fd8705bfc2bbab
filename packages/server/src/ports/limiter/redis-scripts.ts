import type { RedisScript } from '../redis-link.ts';

/**
 * How windows are kept of one bucket. `<bucket>` is a sorted set of clients by the start of the window that each was
 * last given, and `<bucket>:past` one of the windows before, which running requests may still ask of; a window is the
 * hash `<bucket>:<start>:<client>` with its requests (n), bytes billed (b) and bytes reserved (r).
 */

// The key of a set is followed by that of a window, so that scripts can make it of what the set holds.
const SHARED = `
local function timeOf(told)
  if told ~= '' then
    return tonumber(told)
  end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function forget(past, id)
  redis.call('UNLINK', string.sub(past, 1, -5) .. id)
end

local function keepPast(past, id, maxPast, ttl)
  redis.call('ZADD', past, string.match(id, '^%d+'), id)
  redis.call('PEXPIRE', past, ttl)
  while redis.call('ZCARD', past) > maxPast do
    forget(past, redis.call('ZPOPMIN', past)[1])
  end
end
`;

/**
 * Makes the script that counts a request, in which the lengths of all buckets' windows are written: they are needed only
 * where there is no room. KEYS: the bucket's set, that of its past windows. ARGV: client, Unix time in milliseconds or nothing
 * for that of Redis, bucket, its limit, how long windows are kept after their end, how many current ones are kept of all
 * buckets together and how many past ones of this one. Returns whether it is allowed, the start of the window, the time, and n,
 * b and r.
 */
export function takeScript(lengthsMs: Readonly<Record<string, number>>): RedisScript {
  const lengths = Object.entries(lengthsMs).map(([bucket, ms]) => `${bucket} = ${Math.ceil(ms)}`);
  return { text: `local lengths = {${lengths.join(', ')}}\n${SHARED}${TAKE}` };
}

const TAKE = `
local current, past = KEYS[1], KEYS[2]
local client, now, bucket, limit = ARGV[1], timeOf(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local keptAfterEnd, maxCurrent, maxPast = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local prefix = string.sub(current, 1, -1 - #bucket)

local function hasEnded(start, of)
  return now >= tonumber(start) + lengths[of]
end

local function keptMs(of)
  return lengths[of] + keptAfterEnd
end

local function remove(start, client, of)
  local key = prefix .. of
  redis.call('ZREM', key, client)
  keepPast(key .. ':past', start .. ':' .. client, maxPast, keptMs(of))
end

-- Of windows that have ended more go than come, but no crowd of them at once.
local function removeEnded(of)
  for removed = 0, 9 do
    local oldest = redis.call('ZRANGE', prefix .. of, 0, 0, 'WITHSCORES')
    if not oldest[1] or not hasEnded(oldest[2], of) then
      return removed
    end
    remove(oldest[2], oldest[1], of)
  end
  return 10
end

-- The bucket that has most windows gives one up: this one if no other has more, so that each keeps its share.
local function makeRoom()
  removeEnded(bucket)
  local fullest, most, all = bucket, redis.call('ZCARD', current), 0
  for other in pairs(lengths) do
    local count = redis.call('ZCARD', prefix .. other)
    all = all + count
    if count > most then
      fullest, most = other, count
    end
  end
  if all < maxCurrent then
    return
  end
  local ended = 0
  for other in pairs(lengths) do
    ended = ended + removeEnded(other)
  end
  if ended == 0 then
    local oldest = redis.call('ZRANGE', prefix .. fullest, 0, 0, 'WITHSCORES')
    remove(oldest[2], oldest[1], fullest)
  end
end

local start = redis.call('ZSCORE', current, client)
if start and not hasEnded(start, bucket) then
  local window = current .. ':' .. start .. ':' .. client
  local held = redis.call('HMGET', window, 'n', 'b', 'r')
  if held[1] then
    local n, allowed = tonumber(held[1]), 0
    if n < limit then
      n, allowed = redis.call('HINCRBY', window, 'n', 1), 1
    end
    return {allowed, tonumber(start), now, n, tonumber(held[2]), tonumber(held[3])}
  end
end

if start then
  remove(start, client, bucket)
end
makeRoom()
local allowed = limit > 0 and 1 or 0
start = string.format('%.0f', now)
local window = current .. ':' .. start .. ':' .. client
redis.call('ZADD', current, start, client)
redis.call('PEXPIRE', current, keptMs(bucket))
redis.call('HSET', window, 'n', allowed, 'b', 0, 'r', 0)
redis.call('PEXPIRE', window, keptMs(bucket))
return {allowed, now, now, allowed, 0, 0}
`;

/**
 * Reserves, gives back and bills bytes of a window; where all are 0 it only tells. KEYS: the window, the set of past ones.
 * ARGV: bytes to reserve, to give back, to bill, the byte limit, how long a window is kept, how many past ones are kept,
 * its start and client, Unix time as for TAKE, and the n, b and r that it had for all we know, should it be forgotten.
 * Returns how many bytes were reserved, the time, and n, b and r.
 */
export const CHANGE: RedisScript = {
  text: `${SHARED}
local window, past = KEYS[1], KEYS[2]
local asked, given, billed = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local limit, ttl, maxPast, id, now = tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6]), ARGV[7], timeOf(ARGV[8])
local held = redis.call('HMGET', window, 'n', 'b', 'r')
local isForgotten = not held[1]
if isForgotten then
  held = {ARGV[9], ARGV[10], ARGV[11]}
end
local n, b, r = tonumber(held[1]), tonumber(held[2]), tonumber(held[3])
if asked == 0 and given == 0 and billed == 0 then
  return {0, now, n, b, r}
end
local granted = math.max(0, math.min(asked, limit - b - r))
b, r = b + billed, math.max(0, r - given) + granted
redis.call('HSET', window, 'n', n, 'b', b, 'r', r)
redis.call('PEXPIRE', window, ttl)
if isForgotten then
  keepPast(past, id, maxPast, ttl)
end
return {granted, now, n, b, r}
`,
};
