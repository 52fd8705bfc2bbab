import type { Id } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import { growingUpTo } from '../../../lib/growing-up-to.ts';
import type { Database } from '../../../ports/database/database.ts';
import { selectHomes } from './channel-store.ts';

/** The most channels that are remembered, and the most posts and comments. */
const MOST_REMEMBERED = 200_000;

/** The communities of channels, and the channels and authors of posts and comments. These never move, and ids are never used again. */
export class ChannelHomes {
  readonly #database: Pick<Database, 'reader'>;
  readonly #known = new LRUCache<Id, Id>(growingUpTo(MOST_REMEMBERED));
  readonly #channelOf = new LRUCache<Id, Id>(growingUpTo(MOST_REMEMBERED));
  readonly #authorOf = new LRUCache<Id, Id>(growingUpTo(MOST_REMEMBERED));

  constructor(database: Pick<Database, 'reader'>) {
    this.#database = database;
  }

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
    const found = await selectHomes(this.#database.reader, missing);
    for (const [id, home] of found) {
      this.#known.set(id, home);
      homes.set(id, home);
    }
    return homes;
  }

  note(channelId: Id, communityId: Id): void {
    this.#known.set(channelId, communityId);
  }

  /** The channel of a post or comment if it is remembered. */
  peekChannel(id: Id): Id | undefined {
    return this.#channelOf.get(id);
  }

  /** Remembers the channel of a post or comment. */
  noteChannel(id: Id, channelId: Id): void {
    this.#channelOf.set(id, channelId);
  }

  /** Returns who wrote a post or comment, if it is remembered. */
  peekAuthor(id: Id): Id | undefined {
    return this.#authorOf.get(id);
  }

  /** Remembers who wrote a post or comment. */
  noteAuthor(id: Id, authorId: Id): void {
    this.#authorOf.set(id, authorId);
  }
}

export interface KeepsChannelHomes {
  readonly channelHomes: ChannelHomes;
}
