import type { Id } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import { growingUpTo } from '../../lib/growing-up-to.ts';
import type { Database } from '../../ports/database/database.ts';
import { selectCommunitiesOf } from './store.ts';

/** How many channels are remembered. */
const MOST_REMEMBERED = 200_000;

/** Which community a channel belongs to. It never moves to another one, and ids are never used again. */
export class ChannelHomes {
  readonly #database: Pick<Database, 'reader'>;
  readonly #known = new LRUCache<Id, Id>(growingUpTo(MOST_REMEMBERED));

  constructor(database: Pick<Database, 'reader'>) {
    this.#database = database;
  }

  /** The community of a channel if it is remembered. */
  peek(channelId: Id): Id | undefined {
    return this.#known.get(channelId);
  }

  /** The communities of those of the channels that there are. Reads the database once at most. */
  async all(channelIds: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
    const homes = new Map<Id, Id>();
    const missing: Id[] = [];
    for (const id of channelIds) {
      const home = this.#known.get(id);
      if (home === undefined) missing.push(id);
      else homes.set(id, home);
    }
    if (missing.length === 0) return homes;
    const found = await selectCommunitiesOf(this.#database.reader, missing);
    for (const [id, home] of found) {
      this.#known.set(id, home);
      homes.set(id, home);
    }
    return homes;
  }

  /** The community of a channel, from the database; undefined if there is no such channel. */
  async read(channelId: Id): Promise<Id | undefined> {
    const found = await selectCommunitiesOf(this.#database.reader, [channelId]);
    const communityId = found.get(channelId);
    if (communityId !== undefined) this.#known.set(channelId, communityId);
    return communityId;
  }
}
