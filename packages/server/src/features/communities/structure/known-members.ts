import type { Id } from '@hearth/protocol';
import { GatheredReads } from '../../../lib/gathered-reads.ts';
import { ChangeCache, type Remembered } from '../../../ports/database/change-cache.ts';
import type { Database } from '../../../ports/database/database.ts';
import { selectMembersAtOnce, type StoredMember } from './member-store.ts';

/** The number of memberships that are remembered. */
const MOST_REMEMBERED = 50_000;

/** Memberships. What was read is remembered until any process changes it; that somebody is no member is not. */
export class KnownMembers {
  readonly #database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>;
  readonly #known: ChangeCache<string, StoredMember>;
  readonly #reads = new GatheredReads<string, StoredMember>((keys) => this.#readAll(keys));

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
  read(communityId: Id, userId: Id): Promise<StoredMember | undefined> {
    return this.#reads.of(memberKey(communityId, userId));
  }

  async #readAll(keys: readonly string[]): Promise<ReadonlyMap<string, StoredMember>> {
    // Guarantee: `memberKey` has made them.
    const ids = keys.map((key) => key.split(' ') as [communityId: Id, userId: Id]);
    const byCommunity = Map.groupBy(ids, ([communityId]) => communityId);
    const found = await Promise.all(
      Array.from(byCommunity, ([communityId, own]) =>
        this.#readSome(
          communityId,
          own.map(([, userId]) => userId),
        ),
      ),
    );
    return new Map(found.flat().map(({ key, value }) => [key, value]));
  }

  async #readSome(
    communityId: Id,
    userIds: readonly Id[],
  ): Promise<readonly Remembered<string, StoredMember>[]> {
    const remember = this.#known.reading();
    const members = await selectMembersAtOnce(this.#database.reader, communityId, userIds);
    const entries = members.map((value) => {
      const key = memberKey(communityId, value.userId);
      return { key, value, madeFrom: [key] };
    });
    remember(entries);
    return entries;
  }
}

export interface KeepsMembers {
  readonly members: KnownMembers;
}

/** The id of a membership in what transactions report as changed. */
export function memberKey(communityId: Id, userId: Id): string {
  return `${communityId} ${userId}`;
}
