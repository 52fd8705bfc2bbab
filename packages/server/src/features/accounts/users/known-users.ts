import type { Id, UserSummary } from '@hearth/protocol';
import { GatheredReads } from '../../../lib/gathered-reads.ts';
import { ChangeCache } from '../../../ports/database/change-cache.ts';
import type { Database } from '../../../ports/database/database.ts';
import { summarizeUser } from './describe-user.ts';
import { selectUsers } from './store.ts';

const MOST_REMEMBERED = 20_000;

/** Summaries of users, as others see them, by their ids. They are remembered until any process changes them. */
export class KnownUsers {
  readonly #database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>;
  readonly #known: ChangeCache<Id, UserSummary>;
  readonly #reads = new GatheredReads<Id, UserSummary>((ids) => this.all(ids));

  constructor(database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>) {
    this.#database = database;
    this.#known = new ChangeCache(database, 'users', { max: MOST_REMEMBERED });
  }

  /** A user; at once if it is remembered. Rejects if there is none with this id. */
  get(id: Id): UserSummary | Promise<UserSummary> {
    return this.#known.get(id) ?? this.#readOne(id);
  }

  /** Returns the users that there are of these. Reads the database once at most. */
  all(ids: Iterable<Id>): Promise<ReadonlyMap<Id, UserSummary>> {
    return this.#known.all(ids, async (missing) => {
      const users = await selectUsers(this.#database.reader, missing);
      return users.map((user) => {
        return { key: user.id, value: summarizeUser(user), madeFrom: [user.id] };
      });
    });
  }

  async #readOne(id: Id): Promise<UserSummary> {
    const user = await this.#reads.of(id);
    if (user === undefined) throw new Error('the account is not there');
    return user;
  }
}

export interface KeepsUsers {
  readonly users: KnownUsers;
}
