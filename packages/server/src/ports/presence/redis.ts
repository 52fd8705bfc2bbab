import type { RedisConnection, RedisScript } from '../redis-link.ts';
import { REPORT_KEPT_MS, type Presence } from './presence.ts';

/** What the shared engine is made of. */
export interface RedisPresenceOptions {
  readonly link: RedisConnection;
  /** The key of the reports. Processes with the same key are counted together. */
  readonly key: string;
  readonly keptMs?: number;
}

/**
 * A hash has a field for each process: its number of connections, and when the report expires. The script takes the
 * name of the process, its number or nothing, and how long the report counts.
 */
const COUNT: RedisScript = {
  text: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] == '0' then
  redis.call('HDEL', KEYS[1], ARGV[1])
elseif ARGV[2] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now + ARGV[3]))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
local total = 0
local reports = redis.call('HGETALL', KEYS[1])
for index = 1, #reports, 2 do
  local count, expiry = string.match(reports[index + 1], '(%d+) (%d+)')
  if tonumber(expiry) > now then
    total = total + count
  else
    redis.call('HDEL', KEYS[1], reports[index])
  end
end
return total`,
};

/** The shared engine: every call is one script. Rejects with RedisUnavailableError if Redis is away. */
export function redisPresence({
  link,
  key,
  keptMs = REPORT_KEPT_MS,
}: RedisPresenceOptions): Presence {
  const name = crypto.randomUUID();
  const run = async (own: string) =>
    Number(await link.run(COUNT, [key], [name, own, String(keptMs)]));
  return {
    report: (own) => run(String(own)),
    total: () => run(''),
    async [Symbol.asyncDispose]() {
      // Without Redis the report expires.
      await run('0').catch(() => undefined);
    },
  };
}
