import type { Id } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import { growingUpTo } from '../../lib/growing-up-to.ts';
import type { Database } from '../../ports/database/database.ts';
import { updateActivity } from './store.ts';

/** How exactly it is known when something was written in a community, in milliseconds. */
const ACCURACY_MS = 300_000;

/** Of how many communities it is remembered when that was noted. */
const MOST_REMEMBERED = 50_000;

/** When something was written in communities, for the order of lists. */
export class CommunityActivity {
  readonly #database: Pick<Database, 'transaction'>;
  readonly #notedMs = new LRUCache<Id, number>(growingUpTo(MOST_REMEMBERED));

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database;
  }

  /**
   * Notes that something was written in a community; undefined if there is nothing to do, as nearly always. To be called after
   * it was stored, because this waits for those who change the community. If it fails, the next one notes it.
   */
  note(id: Id, nowMs: number): Promise<void> | undefined {
    if (nowMs < (this.#notedMs.get(id) ?? 0) + ACCURACY_MS) return undefined;
    this.#notedMs.set(id, nowMs);
    return this.#write(id, nowMs);
  }

  async #write(id: Id, nowMs: number): Promise<void> {
    try {
      await this.#database.transaction(({ sql }) => updateActivity(sql, id, nowMs));
    } catch {
      this.#notedMs.delete(id);
    }
  }
}
