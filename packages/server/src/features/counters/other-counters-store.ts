import type { Writer } from '../../ports/database/database.ts';
import type { Counted } from './post-counters-store.ts';

/** Counts the choices of the next poll again, and corrects it if it was wrong. */
export async function recountPoll(db: Writer, after: string): Promise<Counted<string>> {
  const poll = await db
    .selectFrom('polls')
    .select(['post_id', 'options', 'voters'])
    .where('post_id', '>', after)
    .orderBy('post_id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (poll === undefined) return { last: undefined, wrong: 0 };
  const rows = await db
    .selectFrom('poll_votes')
    .select((own) => ['options', own.fn.countAll<number | string>().as('count')])
    .where('post_id', '=', poll.post_id)
    .groupBy('options')
    .execute();
  const choices = rows.map(({ options, count }) => ({
    // Guarantee: ids are stored here as a list.
    chosen: JSON.parse(options) as readonly string[],
    count: Number(count),
  }));
  const voters = choices.reduce((sum, { count }) => sum + count, 0);
  // Guarantee: options are stored here as a list.
  const before = JSON.parse(poll.options) as readonly { readonly id: string }[];
  const options = JSON.stringify(
    before.map((option) => {
      const chose = choices.filter(({ chosen }) => chosen.includes(option.id));
      return { ...option, votes: chose.reduce((sum, { count }) => sum + count, 0) };
    }),
  );
  const isRight = options === poll.options && voters === Number(poll.voters);
  if (!isRight) {
    const right = { options, voters };
    await db.updateTable('polls').set(right).where('post_id', '=', poll.post_id).execute();
  }
  return { last: poll.post_id, wrong: Number(!isRight) };
}

/** Somebody in a community. */
export interface PointsKey {
  readonly communityId: string;
  readonly userId: string;
}

/** Those who have points, as the sums, the votes or the ledger have it, in the order of communities and people. */
export const WITH_POINTS: readonly ((
  db: Writer,
  range: { readonly after: PointsKey; readonly limit: number },
) => Promise<readonly PointsKey[]>)[] = [
  (db, { after: { communityId, userId }, limit }) =>
    db
      .selectFrom('member_points')
      .select(['community_id as communityId', 'user_id as userId'])
      .where((eb) => eb(eb.refTuple('community_id', 'user_id'), '>', eb.tuple(communityId, userId)))
      .orderBy('community_id')
      .orderBy('user_id')
      .limit(limit)
      .execute(),
  (db, { after: { communityId, userId }, limit }) =>
    db
      .selectFrom('votes')
      .select(['community_id as communityId', 'author_id as userId'])
      .distinct()
      .where((eb) =>
        eb(eb.refTuple('community_id', 'author_id'), '>', eb.tuple(communityId, userId)),
      )
      .where('points', '>', 0)
      .orderBy('community_id')
      .orderBy('author_id')
      .limit(limit)
      .execute(),
  (db, { after: { communityId, userId }, limit }) =>
    db
      .selectFrom('point_ledger')
      .select(['community_id as communityId', 'user_id as userId'])
      .distinct()
      .where((eb) => eb(eb.refTuple('community_id', 'user_id'), '>', eb.tuple(communityId, userId)))
      .orderBy('community_id')
      .orderBy('user_id')
      .limit(limit)
      .execute(),
];

/** Adds up the points of somebody in a community again. Returns whether they were wrong, and are corrected. */
export async function recountPoints(
  db: Writer,
  { communityId, userId }: PointsKey,
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
  const given = await db
    .selectFrom('votes')
    .select((own) => own.fn.sum<number | string | null>('points').as('points'))
    .where('community_id', '=', communityId)
    .where('author_id', '=', userId)
    .executeTakeFirst();
  const inLedger = await db
    .selectFrom('point_ledger')
    .select((own) => own.fn.sum<number | string | null>('points').as('points'))
    .where('user_id', '=', userId)
    .where('community_id', '=', communityId)
    .executeTakeFirst();
  const points = Number(given?.points ?? 0) + Number(inLedger?.points ?? 0);
  if (points === Number(row.points)) return false;
  await db
    .updateTable('member_points')
    .set({ points })
    .where((eb) => eb.and(key))
    .execute();
  return true;
}
