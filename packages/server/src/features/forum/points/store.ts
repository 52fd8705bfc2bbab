import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';

/** Somebody in a community. */
export interface PointsKey {
  readonly communityId: Id;
  readonly userId: Id;
}

/** Somebody in a community, and points in thousandths. */
export interface GivenPoints extends PointsKey {
  readonly points: number;
}

const ON_CONFLICT = `on conflict (community_id, user_id)
  do update set points = member_points.points + excluded.points`;
const RAISE = `insert into member_points (community_id, user_id, points) values ($1, $2, $3) ${ON_CONFLICT}`;

const RAISE_ALL = `insert into member_points (community_id, user_id, points)
  select community_id, user_id, points from given where true order by community_id, user_id ${ON_CONFLICT}`;

/** Adds points, or takes them away if there are less than 0. The vote or the ledger says the same. */
export async function addPoints(
  tx: Transaction,
  { communityId, userId, points }: GivenPoints,
): Promise<void> {
  if (points !== 0) await tx.run({ text: RAISE, values: [communityId, userId, points] });
}

/** Adds points for several, which may concern the same people. */
export async function addAllPoints(tx: Transaction, given: readonly GivenPoints[]): Promise<void> {
  const sums = new Map<string, GivenPoints>();
  for (const each of given) {
    const key = `${each.communityId} ${each.userId}`;
    sums.set(key, { ...each, points: (sums.get(key)?.points ?? 0) + each.points });
  }
  const changed = [...sums.values()].filter(({ points }) => points !== 0);
  await tx.runMany({
    text: RAISE_ALL,
    columns: { community_id: 'text', user_id: 'text', points: 'bigint' },
    rows: changed.map(({ communityId, userId, points }) => [communityId, userId, points]),
  });
}

export async function insertInLedger(
  db: Writer,
  {
    id,
    communityId,
    userId,
    commentId,
    points,
    nowMs,
  }: GivenPoints & { readonly id: Id; readonly commentId: Id; readonly nowMs: number },
): Promise<void> {
  await db
    .insertInto('point_ledger')
    .values({
      id,
      community_id: communityId,
      user_id: userId,
      kind: 'accepted_answer',
      subject_id: commentId,
      points,
      created_at_ms: nowMs,
    })
    .execute();
}

/** Reads the points in the ledger that somebody has for a comment, in thousandths. */
export async function heldFor(
  db: Reader,
  { communityId, userId, commentId }: PointsKey & { readonly commentId: Id },
): Promise<number> {
  const row = await db
    .selectFrom('point_ledger')
    .select((own) => own.fn.sum<number | string | null>('points').as('points'))
    .where('user_id', '=', userId)
    .where('community_id', '=', communityId)
    .where('subject_id', '=', commentId)
    .executeTakeFirst();
  return Number(row?.points ?? 0);
}

/** The points of somebody in each community, in thousandths. */
export async function selectPoints(db: Reader, userId: Id): Promise<readonly GivenPoints[]> {
  return await db
    .selectFrom('member_points')
    .select(['community_id as communityId', 'user_id as userId', 'points'])
    .where('user_id', '=', userId)
    .where('points', '!=', 0)
    .execute();
}

/** The communities in which somebody was ever given points. */
export async function selectPointedCommunities(db: Reader, userId: Id): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('member_points')
    .select('community_id')
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => row.community_id);
}

/** Sums what somebody has got in all communities, in thousandths. */
export async function sumPoints(db: Reader, userId: Id): Promise<number> {
  const row = await db
    .selectFrom('member_points')
    .select((own) => own.fn.sum<number | string | null>('points').as('points'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(row?.points ?? 0);
}

/** Reads the people whose points a table has, in the order of communities and people. */
export async function selectPointed(
  db: Reader,
  table: 'member_points' | 'point_ledger',
  { after: { communityId, userId }, limit }: { readonly after: PointsKey; readonly limit: number },
): Promise<readonly PointsKey[]> {
  return await db
    .selectFrom(table)
    .select(['community_id as communityId', 'user_id as userId'])
    .distinct()
    .where((eb) => eb(eb.refTuple('community_id', 'user_id'), '>', eb.tuple(communityId, userId)))
    .orderBy('community_id')
    .orderBy('user_id')
    .limit(limit)
    .execute();
}

/**
 * Adds up the points of somebody in a community again: what the ledger says, and what votes gave. Returns whether they were wrong,
 * and are corrected.
 */
export async function recountPoints(
  db: Writer,
  { communityId, userId }: PointsKey,
  sumGiven: (db: Reader, key: PointsKey) => Promise<number>,
): Promise<boolean> {
  const key = { community_id: communityId, user_id: userId };
  await db
    .insertInto('member_points')
    .values({ ...key, points: 0 })
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doNothing())
    .execute();
  const row = await db
    .selectFrom('member_points')
    .select('points')
    .where((eb) => eb.and(key))
    .forUpdate()
    .executeTakeFirstOrThrow();
  const given = await sumGiven(db, { communityId, userId });
  const inLedger = await db
    .selectFrom('point_ledger')
    .select((own) => own.fn.sum<number | string | null>('points').as('points'))
    .where('user_id', '=', userId)
    .where('community_id', '=', communityId)
    .executeTakeFirst();
  const points = given + Number(inLedger?.points ?? 0);
  if (points === row.points) return false;
  await db
    .updateTable('member_points')
    .set({ points })
    .where((eb) => eb.and(key))
    .execute();
  return true;
}
