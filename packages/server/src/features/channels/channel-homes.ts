import type { Id } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../ports/database/database.ts';
import { selectCommunityOf } from './store.ts';

/** How many channels are remembered. */
const MOST_REMEMBERED = 200_000;

/** Which community a channel belongs to. It never moves to another one, and ids are never used again. */
export class ChannelHomes {
  readonly #database: Pick<Database, 'reader'>;
  readonly #known = new LRUCache<Id, Id>({ max: MOST_REMEMBERED });

  constructor(database: Pick<Database, 'reader'>) {
    this.#database = database;
  }

  /** The community of a channel if it is remembered. */
  peek(channelId: Id): Id | undefined {
    return this.#known.get(channelId);
  }

  /** The community of a channel, from the database; undefined if there is no such channel. */
  async read(channelId: Id): Promise<Id | undefined> {
    const communityId = await selectCommunityOf(this.#database.reader, channelId);
    if (communityId !== undefined) this.#known.set(channelId, communityId);
    return communityId;
  }
}
