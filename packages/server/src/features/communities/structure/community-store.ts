import type { Id } from '@hearth/protocol';
import { latestMoment } from '../../../lib/stored-moment.ts';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { CommunitiesTable } from './tables.ts';

export interface StoredCommunity {
  readonly id: Id;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly icon: Id | '';
  readonly banner: Id | '';
  readonly rules: string;
  readonly kind: CommunitiesTable['kind'];
  readonly visibility: CommunitiesTable['visibility'];
  readonly join: CommunitiesTable['join_mode'];
  readonly ownerId: Id;
  readonly memberCount: number;
  readonly languages: readonly string[];
  readonly tags: readonly string[];
  readonly isSensitive: boolean;
  readonly createdAtMs: number;
  /** 0 unless it was deleted and can still be restored. */
  readonly deletedAtMs: number;
  readonly version: number;
  /** Grows with every change of it, its roles, its channels or their overwrites. Nobody is sent it. */
  readonly structureVersion: number;
}

export type CommunityFields = Pick<
  StoredCommunity,
  | 'slug'
  | 'name'
  | 'description'
  | 'icon'
  | 'banner'
  | 'rules'
  | 'kind'
  | 'visibility'
  | 'join'
  | 'languages'
  | 'tags'
  | 'isSensitive'
>;

export async function selectCommunity(db: Reader, id: Id): Promise<StoredCommunity | undefined> {
  const row = await db
    .selectFrom('communities')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : communityOf(row);
}

/** Communities by their ids, in no order. */
export async function selectCommunities(
  db: Reader,
  ids: readonly Id[],
): Promise<readonly StoredCommunity[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('communities').selectAll().where('id', 'in', ids).execute();
  return rows.map(communityOf);
}

/** A community by its id, which no other transaction changes until the end of this one. */
export async function lockCommunityRow(db: Writer, id: Id): Promise<StoredCommunity | undefined> {
  const row = await communityOfId(db, id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? undefined : communityOf(row);
}

/** Locks several communities, in the order of their ids. */
export async function lockCommunities(
  db: Writer,
  ids: readonly Id[],
): Promise<readonly StoredCommunity[]> {
  const rows = await db
    .selectFrom('communities')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(communityOf);
}

/** Locks a community for a transaction that removes it: no other one refers to it either. */
export async function lockRemoved(db: Writer, id: Id): Promise<StoredCommunity | undefined> {
  const row = await communityOfId(db, id).forUpdate().executeTakeFirst();
  return row === undefined ? undefined : communityOf(row);
}

/** Keeps a community from being removed until the transaction ends, which adds something that refers to it. */
export async function keepRow(tx: Transaction, id: Id): Promise<void> {
  const text = 'select id from communities where id = $1';
  await tx.rows({ text, values: [id], locks: 'for key share of communities' });
}

function communityOfId(db: Writer, id: Id) {
  return db.selectFrom('communities').selectAll().where('id', '=', id);
}

/** Adds a community whose only member is its owner. */
export async function insertCommunity(
  db: Writer,
  community: Omit<StoredCommunity, 'memberCount' | 'deletedAtMs' | 'version' | 'structureVersion'>,
): Promise<void> {
  await db
    .insertInto('communities')
    .values({
      id: community.id,
      ...columnsOf(community),
      owner_id: community.ownerId,
      member_count: 1,
      created_at_ms: community.createdAtMs,
      active_at_ms: community.createdAtMs,
      deleted_at_ms: 0,
      version: 1,
      structure_version: 1,
    })
    .execute();
}

/** Replaces what its managers change, and raises the version. */
export async function updateCommunity(db: Writer, id: Id, fields: CommunityFields): Promise<void> {
  await db
    .updateTable('communities')
    .set((own) => ({ ...columnsOf(fields), version: own('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Marks a community as deleted, or with 0 as restored, and raises the version. */
export async function markCommunityDeleted(db: Writer, id: Id, deletedAtMs: number): Promise<void> {
  await db
    .updateTable('communities')
    .set((own) => ({ deleted_at_ms: deletedAtMs, version: own('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Raises the version of what a community consists of, so that processes that remember another one find out what is true. */
export async function raiseStructure(db: Writer, id: Id): Promise<void> {
  await db
    .updateTable('communities')
    .set((own) => ({ structure_version: own('structure_version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** The version of what a community consists of; undefined if there is no such community. */
export async function selectStructureVersion(tx: Transaction, id: Id): Promise<number | undefined> {
  const text = 'select structure_version from communities where id = $1';
  const [row] = await tx.rows<{ readonly structure_version: number }>({ text, values: [id] });
  return row && row.structure_version;
}

/** Gives a community another owner, and raises the version. */
export async function updateOwner(db: Writer, id: Id, ownerId: Id): Promise<void> {
  await db
    .updateTable('communities')
    .set((own) => ({ owner_id: ownerId, version: own('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function selectIdsWithPicture(db: Reader, upload: Id): Promise<readonly Id[]> {
  const using = (use: 'icon' | 'banner') =>
    // The indexes are without those that have none.
    db.selectFrom('communities').select('id').where(use, '=', upload).where(use, '!=', '');
  const rows = await using('icon').union(using('banner')).execute();
  return rows.map(({ id }) => id);
}

/** The communities that were deleted before a moment, the first one first. */
export async function selectDeleted(
  db: Reader,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('communities')
    .select('id')
    .where('deleted_at_ms', '>', 0)
    .where('deleted_at_ms', '<=', beforeMs)
    .orderBy('deleted_at_ms')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes a community of which nothing else is left. */
export async function deleteCommunityRow(db: Writer, id: Id): Promise<void> {
  await db.deleteFrom('communities').where('id', '=', id).execute();
}

/** The communities of an owner that were not deleted, in the order of their slugs. */
export async function selectOwned(
  db: Reader,
  ownerId: Id,
  limit: number,
): Promise<readonly Pick<StoredCommunity, 'name' | 'slug'>[]> {
  return await db
    .selectFrom('communities')
    .select(['name', 'slug'])
    .where('owner_id', '=', ownerId)
    .where('deleted_at_ms', '=', 0)
    .orderBy('slug')
    .limit(limit)
    .execute();
}

/** Notes when something was written in a community, unless something newer is known. */
export async function updateActivity(db: Writer, id: Id, nowMs: number): Promise<void> {
  await db
    .updateTable('communities')
    .set({ active_at_ms: nowMs })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('active_at_ms', '<', nowMs),
        where('active_at_ms', '>', latestMoment(nowMs)),
      ]),
    )
    .execute();
}

/** Counts members who joined or left. */
export async function countMembers(db: Writer, id: Id, difference: number): Promise<void> {
  await db
    .updateTable('communities')
    .set((own) => ({ member_count: own('member_count', '+', difference) }))
    .where('id', '=', id)
    .execute();
}

/** Counts the members of communities, by their ids. */
export async function selectMemberCounts(
  db: Reader,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('communities')
    .select(['id', 'member_count'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.member_count]));
}

function columnsOf(fields: CommunityFields) {
  return {
    slug: fields.slug,
    name: fields.name,
    description: fields.description,
    icon: fields.icon,
    banner: fields.banner,
    rules: fields.rules,
    kind: fields.kind,
    visibility: fields.visibility,
    join_mode: fields.join,
    languages: JSON.stringify(fields.languages),
    tags: JSON.stringify(fields.tags),
    sensitive: fields.isSensitive ? 1 : 0,
  };
}

function communityOf(row: CommunitiesTable): StoredCommunity {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    icon: row.icon,
    banner: row.banner,
    rules: row.rules,
    kind: row.kind,
    visibility: row.visibility,
    join: row.join_mode,
    ownerId: row.owner_id,
    memberCount: row.member_count,
    languages: JSON.parse(row.languages),
    tags: JSON.parse(row.tags),
    isSensitive: row.sensitive > 0,
    createdAtMs: row.created_at_ms,
    deletedAtMs: row.deleted_at_ms,
    version: row.version,
    structureVersion: row.structure_version,
  };
}
