import type { CommunityQuery, Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import type { StoredCommunity } from '../structure/structure.ts';

type Sort = CommunityQuery['sort'];

/** A place in a list: by a value, the largest first, and by the id. */
export interface ListPlace {
  readonly value: number;
  readonly id: Id;
}

/** What a list is made from. */
export interface ListedCommunity extends ListPlace {
  readonly id: Id;
  readonly name: string;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly ownerId: Id;
  readonly visibility: StoredCommunity['visibility'];
  readonly deletedAtMs: number;
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
  return (await query.limit(limit).execute()).map(listedOf);
}

export async function selectListedOf(
  db: Reader,
  { ids, sort }: { readonly ids: readonly Id[]; readonly sort: Sort },
): Promise<readonly ListedCommunity[]> {
  if (ids.length === 0) return [];
  return (await listed(db, sort).where('id', 'in', ids).execute()).map(listedOf);
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
      'owner_id',
      'visibility',
      'deleted_at_ms',
      `${value} as value`,
    ])
    .orderBy(value, 'desc')
    .orderBy('id', 'desc');
}

function listedOf(row: {
  readonly id: Id;
  readonly name: string;
  readonly slug: string;
  readonly tags: string;
  readonly owner_id: Id;
  readonly visibility: StoredCommunity['visibility'];
  readonly deleted_at_ms: number;
  readonly value: number;
}): ListedCommunity {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    tags: JSON.parse(row.tags),
    ownerId: row.owner_id,
    visibility: row.visibility,
    deletedAtMs: row.deleted_at_ms,
    value: Number(row.value),
  };
}
