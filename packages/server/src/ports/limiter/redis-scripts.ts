import { MOST_SKEW_MS } from '../../lib/stored-moment.ts';
import type { RedisScript } from '../redis-link.ts';

/**
 * The form in which the windows of a bucket are stored. The sorted set `<bucket>` has each client with the start of its
 * latest window. The sorted set `<bucket>:past` has older windows, which running requests may still use. A window is
 * the hash
 * `<bucket>:<start>:<client>` with its requests (n), bytes billed (b) and bytes reserved (r).
 */

// Scripts build the key of a window from that of its set.
const SHARED = `
local function timeOf(given)
  if given ~= '' then
    return tonumber(given)
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

/** The rule of a bucket in the script that counts requests. */
export interface ScriptedPolicy {
  readonly resetAfterMs: number;
  readonly limit: number;
}

/**
 * Makes the script that counts requests, which contains the rules of all buckets. KEYS: the prefix of all keys. ARGV:
 * Unix time in milliseconds or nothing for that of Redis, how long windows are kept after their end, how many current
 * windows are kept of all buckets together, how many past ones of each, then bucket, client and how often its limit
 * applies of each request. Returns the time, and for each request whether it is allowed, the start of its window, and n, b and r.
 */
export function takeScript(policies: Readonly<Record<string, ScriptedPolicy>>): RedisScript {
  const table = (numberOf: (policy: ScriptedPolicy) => number) =>
    Object.entries(policies)
      .map(([bucket, policy]) => `${bucket} = ${numberOf(policy)}`)
      .join(', ');
  const lengths = `local lengths = {${table(({ resetAfterMs }) => Math.ceil(resetAfterMs))}}`;
  const limits = `local limits = {${table(({ limit }) => limit)}}`;
  return { text: `${lengths}\n${limits}\n${SHARED}${TAKE}` };
}

const TAKE = `
local PREFIX, NOW = KEYS[1], timeOf(ARGV[1])
local KEPT_AFTER_END, MOST_CURRENT, MOST_PAST = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local BEFORE = 4

-- A window that begins more than a second ahead was begun before the clock was set back.
local function hasEnded(start, of)
  return NOW >= tonumber(start) + lengths[of] or tonumber(start) > NOW + ${MOST_SKEW_MS}
end

local function keptMs(of)
  return lengths[of] + KEPT_AFTER_END
end

local function remove(start, client, of)
  local key = PREFIX .. of
  redis.call('ZREM', key, client)
  keepPast(key .. ':past', start .. ':' .. client, MOST_PAST, keptMs(of))
end

-- Removes more ended windows than are added, but only a few at once.
local function removeEnded(of)
  for removed = 0, 9 do
    local oldest = redis.call('ZRANGE', PREFIX .. of, 0, 0, 'WITHSCORES')
    if not oldest[1] or not hasEnded(oldest[2], of) then
      return removed
    end
    remove(oldest[2], oldest[1], of)
  end
  return 10
end

-- The bucket that has most windows loses one. If no other has more it is this one, so that each keeps its
-- share.
local function makeRoom(bucket)
  removeEnded(bucket)
  local fullest, most, all = bucket, redis.call('ZCARD', PREFIX .. bucket), 0
  for other in pairs(lengths) do
    local count = redis.call('ZCARD', PREFIX .. other)
    all = all + count
    if count > most then
      fullest, most = other, count
    end
  end
  if all < MOST_CURRENT then
    return
  end
  local ended = 0
  for other in pairs(lengths) do
    ended = ended + removeEnded(other)
  end
  if ended == 0 then
    local oldest = redis.call('ZRANGE', PREFIX .. fullest, 0, 0, 'WITHSCORES')
    remove(oldest[2], oldest[1], fullest)
  end
end

local function take(bucket, client, times)
  local current, limit = PREFIX .. bucket, limits[bucket] * times
  local start = redis.call('ZSCORE', current, client)
  if start and not hasEnded(start, bucket) then
    local window = current .. ':' .. start .. ':' .. client
    local held = redis.call('HMGET', window, 'n', 'b', 'r')
    if held[1] then
      local n, allowed = tonumber(held[1]), 0
      if n < limit then
        n, allowed = redis.call('HINCRBY', window, 'n', 1), 1
      end
      return allowed, tonumber(start), n, tonumber(held[2]), tonumber(held[3])
    end
  end
  if start then
    remove(start, client, bucket)
  end
  makeRoom(bucket)
  local allowed = limit > 0 and 1 or 0
  start = string.format('%.0f', NOW)
  local window = current .. ':' .. start .. ':' .. client
  redis.call('ZADD', current, start, client)
  redis.call('PEXPIRE', current, keptMs(bucket))
  redis.call('HSET', window, 'n', allowed, 'b', 0, 'r', 0)
  redis.call('PEXPIRE', window, keptMs(bucket))
  return allowed, NOW, allowed, 0, 0
end

local answer = { NOW }
for i = BEFORE + 1, #ARGV, 3 do
  local at = #answer
  answer[at + 1], answer[at + 2], answer[at + 3], answer[at + 4], answer[at + 5] =
    take(ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]))
end
return answer
`;

/**
 * Reserves, releases and bills bytes of a window; if all are 0 it only returns the counts. KEYS: the window, the set of
 * past ones. ARGV: bytes to reserve, to release, to bill, the byte limit, how long a window is kept, how many past ones
 * are kept, its start and client, Unix time as for TAKE, and its last known n, b and r in case it was forgotten.
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

/**
 * Lets one action of a client through in a period, and forgets clients that may act again. KEYS: the sorted set of the
 * clients and when their last actions were let through. ARGV: the client, the period in milliseconds, how many clients
 * are remembered, and Unix time as for TAKE. Returns how long the client has to wait in milliseconds.
 */
export const PACE: RedisScript = {
  text: `${SHARED}
local paces, client, period, most, now = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), timeOf(ARGV[4])
local last = redis.call('ZSCORE', paces, client)
-- One that lies more than a second ahead was let through before the clock was set back.
if last and tonumber(last) <= now + ${MOST_SKEW_MS} and now < tonumber(last) + period then
  return math.min(period, tonumber(last) + period - now)
end
redis.call('ZADD', paces, string.format('%.0f', now), client)
redis.call('ZREMRANGEBYSCORE', paces, '-inf', string.format('(%.0f', now - period))
while redis.call('ZCARD', paces) > most do
  redis.call('ZPOPMIN', paces)
end
redis.call('PEXPIRE', paces, period)
return 0
`,
};
