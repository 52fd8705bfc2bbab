import type { Id } from '@hearth/protocol';
import { ChangeCache } from '../../ports/database/change-cache.ts';
import type { Database } from '../../ports/database/database.ts';
import { selectMember, type StoredMember } from './store.ts';

export type { StoredMember } from './store.ts';

/** How many memberships are remembered. */
const MOST_REMEMBERED = 50_000;

/** Memberships. What was read is remembered until any process changes it; that somebody is no member is not. */
export class KnownMembers {
  readonly #database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>;
  readonly #known: ChangeCache<string, StoredMember>;

  constructor(database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>) {
    this.#database = database;
    this.#known = new ChangeCache(database, 'members', { max: MOST_REMEMBERED });
  }

  /** A membership, at once if it is remembered; undefined if the user is not a member. */
  get(communityId: Id, userId: Id): StoredMember | Promise<StoredMember | undefined> {
    return this.peek(communityId, userId) ?? this.read(communityId, userId);
  }

  /** A membership if it is remembered. */
  peek(communityId: Id, userId: Id): StoredMember | undefined {
    return this.#known.get(memberKey(communityId, userId));
  }

  /** A membership, from the database; undefined if the user is not a member. */
  async read(communityId: Id, userId: Id): Promise<StoredMember | undefined> {
    const remember = this.#known.reading();
    const value = await selectMember(this.#database.reader, communityId, userId);
    const key = memberKey(communityId, userId);
    if (value !== undefined) remember([{ key, value, madeFrom: [key] }]);
    return value;
  }
}

/** The id of a membership in what transactions report as changed. */
export function memberKey(communityId: Id, userId: Id): string {
  return `${communityId} ${userId}`;
}
