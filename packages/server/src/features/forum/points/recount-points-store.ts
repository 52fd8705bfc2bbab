import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';

/** Somebody in a community. */
export interface PointsKey {
  readonly communityId: Id;
  readonly userId: Id;
}

/** Those whose points a table has, in the order of communities and people. */
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
  if (points === Number(row.points)) return false;
  await db
    .updateTable('member_points')
    .set({ points })
    .where((eb) => eb.and(key))
    .execute();
  return true;
}
