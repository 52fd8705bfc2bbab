import type { RedisScript } from '../redis-link.ts';
import { KEYS, TIME } from './redis-scripts.ts';

/**
 * Returns the epoch, its generation, the place of the newest entry and the oldest kept entries after a place; nothing
 * if there is no whole stream. ARGV: the epoch and number of the place, and the maximum number of entries.
 */
export const READ_STREAM: RedisScript = {
  text: `${KEYS}
local meta = redis.pcall('HMGET', META, 'epoch', 'generation', 'place')
if meta.err or not meta[1] or not meta[2] then return false end
local from = '-'
if meta[1] == ARGV[1] then from = '(' .. meta[2] .. '-' .. ARGV[2] end
local entries = redis.pcall('XRANGE', STREAM, from, '+', 'COUNT', ARGV[3])
if entries.err then return false end
return { meta[1], meta[2], meta[3] or '0', entries }
`,
};

/**
 * Returns the positions of all streams: epoch, generation, the place of the newest entry, the time in milliseconds, the
 * position of the stream with the journal, how many streams were forgotten, and for each other stream its name and its
 * head in turn, the least recently used first. Returns nothing if there is no whole stream.
 */
export const READ_HEADS: RedisScript = {
  text: `${KEYS}
local meta = redis.pcall('HMGET', META, 'epoch', 'generation', 'place', 'journaled', 'forgotten')
if meta.err or not meta[1] or not meta[2] then return false end
local names = redis.pcall('ZRANGE', HEAD_USES, 0, -1)
if names.err then return false end
${TIME}
local heads = {}
for i = 1, #names, 256 do
  local some = { unpack(names, i, math.min(i + 255, #names)) }
  local values = redis.pcall('HMGET', HEADS, unpack(some))
  if values.err then return false end
  for j, name in ipairs(some) do
    heads[#heads + 1] = name
    heads[#heads + 1] = values[j] or ''
  end
end
return { meta[1], meta[2], meta[3] or '0', whole(now), meta[4] or '0', meta[5] or '0', heads }
`,
};

/** Removes messages from the journal up to the position of an identifier, and returns how many. ARGV: that position. */
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
-- If there is no count, the next epoch makes one.
if dropped > 0 then redis.pcall('HINCRBY', META, 'journal_bytes', -bytes) end
return dropped
`,
};
