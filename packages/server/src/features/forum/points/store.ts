import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';

/** Somebody in a community, and points in thousandths. */
export interface GivenPoints {
  readonly communityId: Id;
  readonly userId: Id;
  readonly points: number;
}

const ON_CONFLICT = `on conflict (community_id, user_id)
  do update set points = member_points.points + excluded.points`;
const RAISE = `insert into member_points (community_id, user_id, points) values ($1, $2, $3) ${ON_CONFLICT}`;

const RAISE_ALL = `insert into member_points (community_id, user_id, points)
  select community_id, user_id, points from given where true order by community_id, user_id ${ON_CONFLICT}`;

/** Adds points, or takes them away if there are less than 0. */
export async function raisePoints(
  tx: Transaction,
  { communityId, userId, points }: GivenPoints,
): Promise<void> {
  await tx.run({ text: RAISE, values: [communityId, userId, points] });
}

/** The same for several people. */
export async function raiseAllPoints(
  tx: Transaction,
  given: readonly GivenPoints[],
): Promise<void> {
  await tx.runMany({
    text: RAISE_ALL,
    columns: { community_id: 'text', user_id: 'text', points: 'bigint' },
    rows: given.map(({ communityId, userId, points }) => [communityId, userId, points]),
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
      id: id,
      community_id: communityId,
      user_id: userId,
      kind: 'accepted_answer',
      subject_id: commentId,
      points,
      created_at_ms: nowMs,
    })
    .execute();
}

/** What the ledger says that somebody has for a comment, in thousandths. */
export async function heldFor(
  db: Reader,
  {
    communityId,
    userId,
    commentId,
  }: { readonly communityId: Id; readonly userId: Id; readonly commentId: Id },
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
  const rows = await db
    .selectFrom('member_points')
    .select(['community_id', 'points'])
    .where('user_id', '=', userId)
    .where('points', '!=', 0)
    .execute();
  return rows.map((row) => ({
    communityId: row.community_id,
    userId,
    points: Number(row.points),
  }));
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

/** What somebody has got in all communities, in thousandths. */
export async function sumPoints(db: Reader, userId: Id): Promise<number> {
  const row = await db
    .selectFrom('member_points')
    .select((own) => own.fn.sum<number | string | null>('points').as('points'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(row?.points ?? 0);
}
