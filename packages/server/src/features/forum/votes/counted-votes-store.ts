import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import type { PointsKey } from '../points/points.ts';
import type { Votes } from './voted.ts';

/** The totals of these posts and comments, as their votes have it. */
export async function countVotes(db: Reader, ids: readonly Id[]): Promise<(id: Id) => Votes> {
  const rows = await db
    .selectFrom('votes')
    .select((own) => ['subject_id', 'value', own.fn.countAll<number | string>().as('count')])
    .where('subject_id', 'in', ids)
    .groupBy(['subject_id', 'value'])
    .execute();
  const counts = new Map(rows.map((row) => [`${row.subject_id} ${row.value}`, Number(row.count)]));
  return (id) => ({
    upvotes: counts.get(`${id} 1`) ?? 0,
    downvotes: counts.get(`${id} -1`) ?? 0,
  });
}

/** Those whom votes gave points, in the order of communities and people. */
export async function selectGivenTo(
  db: Reader,
  { after: { communityId, userId }, limit }: { readonly after: PointsKey; readonly limit: number },
): Promise<readonly PointsKey[]> {
  return await db
    .selectFrom('votes')
    .select(['community_id as communityId', 'author_id as userId'])
    .distinct()
    .where((eb) => eb(eb.refTuple('community_id', 'author_id'), '>', eb.tuple(communityId, userId)))
    .where('points', '>', 0)
    .orderBy('community_id')
    .orderBy('author_id')
    .limit(limit)
    .execute();
}

/** What votes gave somebody in a community, in thousandths. */
export async function sumGiven(db: Reader, { communityId, userId }: PointsKey): Promise<number> {
  const given = await db
    .selectFrom('votes')
    .select((own) => own.fn.sum<number | string | null>('points').as('points'))
    .where('community_id', '=', communityId)
    .where('author_id', '=', userId)
    .executeTakeFirst();
  return Number(given?.points ?? 0);
}
