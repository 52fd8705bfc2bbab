import type { LobbyMessage } from '@hearth/protocol';
import type { RedisConnection } from '../redis-link.ts';
import { DROP } from '../bus/redis-scripts.ts';
import { idsOf, positionOf, type StreamKeys } from '../bus/redis-stream.ts';
import { messageOf } from '../bus/stored-message.ts';
import type { Journal } from './journal.ts';

/** Where the journal is. */
export interface RedisJournalOptions {
  readonly link: RedisConnection;
  readonly keys: StreamKeys;
  readonly instanceId: number;
}

/** The journal beside the stream of the bus. */
export function redisJournal({ link, keys, instanceId }: RedisJournalOptions): Journal {
  const [, , key] = keys;
  const idAt = idsOf(instanceId);
  const message = (entry: string): LobbyMessage | undefined => {
    const space = entry.indexOf(' ');
    const position = Number(entry.slice(0, space));
    return space > 0 && Number.isSafeInteger(position)
      ? messageOf(idAt(position), entry.slice(space + 1))
      : undefined;
  };
  return {
    async read(limit) {
      if (limit === 0) return [];
      const last = limit === undefined ? -1 : limit - 1;
      const entries = await link.send('LRANGE', [key, '0', String(last)]);
      if (!Array.isArray(entries)) return [];
      return entries.map((entry) => message(String(entry))).filter((each) => each !== undefined);
    },
    async drop(upTo) {
      await link.run(DROP, keys, [String(positionOf(upTo))]);
    },
  };
}
