import type { Id } from '@hearth/protocol';
import { LRUCache } from 'lru-cache';
import { growingUpTo } from '../../../lib/growing-up-to.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { EmittingDatabase } from '../../../ports/outbox/outbox.ts';
import { updateActivity } from '../structure/structure.ts';

/** The accuracy in milliseconds with which it is known when something was written in a community. */
const ACCURACY_MS = 300_000;

/** The number of communities of which it is remembered when that was noted. */
const MOST_REMEMBERED = 50_000;

/** When something was written in communities, for the order of lists. */
export class CommunityActivity {
  readonly #database: Pick<EmittingDatabase, 'writeAlone'>;
  readonly #notedMs = new LRUCache<Id, number>(growingUpTo(MOST_REMEMBERED));

  constructor(database: Pick<EmittingDatabase, 'writeAlone'>) {
    this.#database = database;
  }

  /**
   * Notes that something was written in a community; undefined if there is nothing to do, as nearly always. To be called after
   * it was stored, because this waits for those who change the community. If it fails, the next one notes it.
   */
  note(id: Id, nowMs: number): Promise<void> | undefined {
    if (ageOf(this.#notedMs.get(id) ?? 0, nowMs) < ACCURACY_MS) return undefined;
    this.#notedMs.set(id, nowMs);
    return this.#write(id, nowMs);
  }

  async #write(id: Id, nowMs: number): Promise<void> {
    try {
      const writing = { subjects: [id], caller: id } as const;
      await this.#database.writeAlone(writing, ({ sql }) => updateActivity(sql, id, nowMs));
    } catch {
      this.#notedMs.delete(id);
    }
  }
}

export interface KeepsActivity {
  readonly activity: CommunityActivity;
}
