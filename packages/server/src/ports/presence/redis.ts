import type { Logger } from '../../log/logger.ts';
import { MOST_SKEW_MS } from '../../lib/stored-moment.ts';
import type { RedisConnection, RedisScript } from '../redis-link.ts';
import { REPORT_KEPT_MS, type Presence } from './presence.ts';

export interface RedisPresenceOptions {
  readonly link: RedisConnection;
  /** The key of the reports. Processes with the same key are counted together. */
  readonly key: string;
  readonly log: Logger;
  readonly keptMs?: number;
}

/**
 * A hash has a field for each process: its number of connections, and when the report expires. The script takes the
 * name of the process, its number, and how long the report counts.
 */
const COUNT: RedisScript = {
  text: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] == '0' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now + ARGV[3]))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
local total = 0
local reports = redis.call('HGETALL', KEYS[1])
for index = 1, #reports, 2 do
  local count, expiry = string.match(reports[index + 1], '(%d+) (%d+)')
  -- A report beyond was made before the clock was set back, by a process that no longer reports.
  if tonumber(expiry) > now and tonumber(expiry) <= now + ARGV[3] + ${MOST_SKEW_MS} then
    total = total + count
  else
    redis.call('HDEL', KEYS[1], reports[index])
  end
end
return total`,
};

/** The shared engine: every call is one script. */
export function redisPresence({
  link,
  key,
  log,
  keptMs = REPORT_KEPT_MS,
}: RedisPresenceOptions): Presence {
  const name = crypto.randomUUID();
  let own = 0;
  /** The number of connections of the other processes, as far as is known. */
  let others = 0;
  const total = async () => {
    const reported = own;
    try {
      const all = await link.run(COUNT, [key], [name, String(reported), String(keptMs)]);
      others = Number(all) - reported;
    } catch (error) {
      log.debug({ err: error }, 'the number of connections is not exchanged');
    }
    return others + reported;
  };
  const report = (count: number) => {
    own = count;
    return total();
  };
  return {
    report,
    total,
    async [Symbol.asyncDispose]() {
      // Without Redis the report expires.
      await report(0);
    },
  };
}
