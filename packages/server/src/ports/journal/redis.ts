import { DROP } from '../bus/redis-reading-scripts.ts';
import { idsOf, positionOf, type StreamKeys } from '../bus/redis-stream.ts';
import { dataOf } from '../bus/stored-entry.ts';
import type { RedisConnection } from '../redis-link.ts';
import type { Journal, Journaled } from './journal.ts';

export interface RedisJournalOptions {
  readonly link: RedisConnection;
  readonly keys: StreamKeys;
  readonly instanceId: number;
}

/** The journal in Redis, next to the streams of the bus. */
export function redisJournal({ link, keys, instanceId }: RedisJournalOptions): Journal {
  const [, , key] = keys;
  const idAt = idsOf(instanceId);
  const journaled = (entry: string): Journaled | undefined => {
    const space = entry.indexOf(' ');
    const position = Number(entry.slice(0, space));
    if (space <= 0 || !Number.isSafeInteger(position)) return undefined;
    return dataOf(idAt(position), entry.slice(space + 1));
  };
  return {
    async read(limit) {
      if (limit === 0) return [];
      const last = limit === undefined ? -1 : limit - 1;
      const entries = await link.send('LRANGE', [key, '0', String(last)]);
      if (!Array.isArray(entries)) return [];
      return entries.map((entry) => journaled(String(entry))).filter((each) => each !== undefined);
    },
    async drop(upTo) {
      await link.run(DROP, keys, [String(positionOf(upTo))]);
    },
  };
}
