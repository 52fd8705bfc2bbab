import type { CommunityQuery, Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';

type Sort = CommunityQuery['sort'];

/** A place in a list: by a value, the largest first, and by the id. */
export interface ListPlace {
  readonly value: number;
  readonly id: Id;
}

const VALUES = {
  active: 'active_at_ms',
  new: 'created_at_ms',
  members: 'member_count',
} as const satisfies Readonly<Record<Sort, string>>;

/** Public communities after a place. */
export async function selectListed(
  db: Reader,
  {
    sort,
    after,
    limit,
  }: { readonly sort: Sort; readonly after: ListPlace | undefined; readonly limit: number },
): Promise<readonly ListedCommunity[]> {
  let query = listed(db, sort).where('visibility', '=', 'public').where('deleted_at_ms', '=', 0);
  if (after !== undefined) {
    const value = VALUES[sort];
    query = query.where((own) =>
      own(own.refTuple(value, 'id'), '<', own.tuple(after.value, after.id)),
    );
  }
  return await query.limit(limit).execute();
}

export async function selectListedOf(
  db: Reader,
  { ids, sort }: { readonly ids: readonly Id[]; readonly sort: Sort },
): Promise<readonly ListedCommunity[]> {
  if (ids.length === 0) return [];
  return await listed(db, sort).where('id', 'in', ids).execute();
}

function listed(db: Reader, sort: Sort) {
  const value = VALUES[sort];
  return db
    .selectFrom('communities')
    .select([
      'id',
      'name',
      'slug',
      'tags',
      'owner_id as ownerId',
      'visibility',
      'deleted_at_ms as deletedAtMs',
      `${value} as value`,
    ])
    .orderBy(value, 'desc')
    .orderBy('id', 'desc');
}

/** A community as a list needs it. */
export type ListedCommunity = Readonly<
  Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]
>;
