import { sightOf, type Id } from '@hearth/protocol';
import { SharedWork } from '../../../lib/shared-work.ts';
import type { Database } from '../../../ports/database/database.ts';
import { sighted, type KnownCommunities, type StoredCommunity } from '../structure/structure.ts';
import { selectIsOpen } from './open-store.ts';

/**
 * Finds out whether everyone may see and join a community. People who ask for the same one at the same time share a query. So the
 * answer may be out of date when it comes: the transaction checks once more.
 */
export class OpenToJoin {
  readonly #database: Pick<Database, 'reader'>;
  readonly #communities: Pick<KnownCommunities, 'peek'>;
  readonly #reading = new SharedWork<boolean>();

  constructor(database: Pick<Database, 'reader'>, communities: Pick<KnownCommunities, 'peek'>) {
    this.#database = database;
    this.#communities = communities;
  }

  /**
   * Resolves with whether a community is open, as it was when somebody asked last. It takes as long for one that is
   * hidden as for none.
   */
  async has(id: Id): Promise<boolean> {
    const known = this.#communities.peek(id)?.stored;
    if (known !== undefined && isOpen(known)) return true;
    return await this.#reading.of(id, () => selectIsOpen(this.#database.reader, id));
  }
}

export interface KeepsOpenToJoin {
  readonly openToJoin: OpenToJoin;
}

function isOpen(stored: StoredCommunity): boolean {
  return stored.join === 'open' && sightOf(sighted(stored), undefined).reads;
}
