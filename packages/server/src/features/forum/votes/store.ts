import type { Id } from '@hearth/protocol';
import type { ExpressionBuilder } from 'kysely';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { Swept } from '../../../ports/database/delete-after.ts';
import { readRowsIn } from '../../../ports/database/read-rows.ts';
import type { PointsKey } from '../points/points.ts';
import type { VotesTable } from './tables.ts';
import type { Voted, VotedPlace, Votes } from './voted.ts';

/** A vote, and what it gave the author, in thousandths. */
export interface CastVote {
  readonly value: 1 | -1;
  readonly points: number;
}

const BEFORE = `select given.voter_id, votes.value, votes.points,
    case when given.since_ms = 0 or authors.id is null then null else
      (select count(*) from (select 1 from votes as given_before
        where given_before.user_id = given.voter_id and given_before.author_id = given.author_id
          and given_before.cast_at_ms > given.since_ms and given_before.cast_at_ms <= given.up_to_ms
          and given_before.points > 0 and given_before.subject_id <> given.subject_id
        limit 10) as recent) end as giving
  from given
    left join votes on votes.subject_id = given.subject_id and votes.user_id = given.voter_id
    left join users as authors on given.since_ms > 0 and authors.id = given.author_id and authors.state = 'active'`;
const DELETE = 'delete from votes where subject_id = $1 and user_id = $2';
const IS_GIVEN = '(subject_id, user_id) in (select given.subject_id, given.voter_id from given)';
const DELETE_ALL = `delete from votes where ${IS_GIVEN}`;
const FORGET_POINTS = `update votes set points = 0 where ${IS_GIVEN}`;
const KEY = { subject_id: 'text', voter_id: 'text' } as const;
const UPSERT = `insert into votes (subject_id, user_id, kind, channel_id, community_id, author_id, value, points, cast_at_ms)
  select subject_id, voter_id, kind, channel_id, community_id, author_id, value, points, cast_at_ms from given where true
  on conflict (subject_id, user_id)
  do update set value = excluded.value, points = excluded.points, cast_at_ms = excluded.cast_at_ms`;
const UPSERTED = {
  subject_id: 'text',
  voter_id: 'text',
  kind: 'text',
  channel_id: 'text',
  community_id: 'text',
  author_id: 'text',
  value: 'bigint',
  points: 'bigint',
  cast_at_ms: 'bigint',
} as const;

export interface VoteFor {
  readonly voted: Voted;
  readonly userId: Id;
}

/** Stores votes, instead of earlier ones of the same people for the same. */
export async function upsertVotes(
  tx: Transaction,
  votes: readonly (VoteFor & CastVote)[],
  nowMs: number,
): Promise<void> {
  const rows = votes.map(({ voted, userId, value, points }) => {
    const { kind, id, channelId, communityId, authorId } = voted;
    const place = [id, userId, kind, channelId, communityId, authorId];
    return [...place, value, points, nowMs];
  });
  await tx.runMany({ text: UPSERT, columns: UPSERTED, rows });
}

export async function deleteVotes(tx: Transaction, votes: readonly VoteFor[]): Promise<void> {
  const rows = votes.map(({ voted, userId }) => [voted.id, userId]);
  await tx.runMany({ text: DELETE_ALL, columns: KEY, rows });
}

/** Deletes a vote. Returns what it was. */
export async function takeVote(
  tx: Transaction,
  subjectId: Id,
  userId: Id,
): Promise<CastVote | undefined> {
  const values = [subjectId, userId];
  const text = `${DELETE} returning value, points`;
  const [vote] = await tx.rows<CastVote>({ text, values });
  return vote;
}

/** Reads how somebody votes for these posts and comments. */
export async function selectVotesOf(
  db: Reader,
  userId: Id,
  subjectIds: readonly Id[],
): Promise<ReadonlyMap<Id, 1 | -1>> {
  const text = 'select subject_id, value from votes where user_id = $1 and subject_id in';
  type Row = Pick<VoteCast, 'value'> & { readonly subject_id: Id };
  const rows = await readRowsIn<Row>(db, { text, values: [userId] }, subjectIds);
  return new Map(rows.map((row) => [row.subject_id, row.value]));
}

/** Which of the votes for something: those of the newest accounts between two. */
export interface VotesRange {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/** Reads who voted for something, the newest account first. */
export async function selectVoters(
  db: Reader,
  subjectId: Id,
  { after, before, limit }: VotesRange,
) {
  let query = db
    .selectFrom('votes')
    .select(['user_id as userId', 'value', 'cast_at_ms as castAtMs'])
    .$narrowType<Pick<VoteCast, 'value'>>()
    .where('subject_id', '=', subjectId);
  if (after !== undefined) query = query.where('user_id', '>', after);
  if (before !== undefined) query = query.where('user_id', '<', before);
  // Those right after a place are the first ones after it, as in the lists of messages.
  const isUpwards = after !== undefined && before === undefined;
  const votes = await query
    .orderBy('user_id', isUpwards ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  return isUpwards ? votes.toReversed() : votes;
}

export interface VoteCast extends VotedPlace {
  readonly channelId: Id;
  readonly communityId: Id;
  readonly authorId: Id;
  readonly value: 1 | -1;
  readonly castAtMs: number;
}

/** About how many votes are looked through at a time for those of one person. */
const LOOKED_THROUGH = 1_000;

/** Votes of somebody among those after one, in the order of the posts and comments. */
export interface VotesAfter {
  readonly votes: readonly VoteCast[];
  /** The last vote that was looked at; undefined at the end. */
  readonly last: VoteKey | undefined;
}

/** Looks through votes for those of somebody. No index has these together, because each vote would change a page of its own in it. */
export async function selectVotesAfter(
  db: Reader,
  userId: Id,
  after: VoteKey,
): Promise<VotesAfter> {
  const last = await db
    .selectFrom('votes')
    .select(['subject_id as subjectId', 'user_id as userId'])
    .where((eb) => comparedKey(eb, '>', after))
    .orderBy('subject_id')
    .orderBy('user_id')
    .offset(LOOKED_THROUGH - 1)
    .limit(1)
    .executeTakeFirst();
  let query = db
    .selectFrom('votes')
    .select(['subject_id as id', 'kind', 'channel_id as channelId', 'community_id as communityId'])
    .select(['author_id as authorId', 'value', 'cast_at_ms as castAtMs'])
    .$narrowType<Pick<VoteCast, 'value'>>()
    .where('user_id', '=', userId)
    .where((eb) => comparedKey(eb, '>', after));
  if (last !== undefined) query = query.where((eb) => comparedKey(eb, '<=', last));
  return { votes: await query.orderBy('subject_id').execute(), last };
}

function comparedKey(
  eb: ExpressionBuilder<{ votes: VotesTable }, 'votes'>,
  operator: '>' | '<=',
  { subjectId, userId }: VoteKey,
) {
  return eb(eb.refTuple('subject_id', 'user_id'), operator, eb.tuple(subjectId, userId));
}

/**
 * Removes the votes for posts and comments that are deleted. Those that gave points stay: the author keeps them, and they make
 * further votes of the same person give less.
 */
export async function deleteVotesFor(db: Writer, subjectIds: readonly Id[]): Promise<void> {
  if (subjectIds.length === 0) return;
  await db
    .deleteFrom('votes')
    .where('subject_id', 'in', subjectIds)
    .where('points', '=', 0)
    .execute();
}

/** The votes for something deleted that gave no points, in the order in which they are removed. */
export function sweptVotes(subjectId: Id): Swept {
  const where = { subject_id: subjectId };
  return { table: 'votes', where, order: ['user_id'], only: { points: 0 } };
}

/** Counts the votes for each of these; none for those that it does not name. */
export async function countVotesFor(
  db: Reader,
  subjectIds: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('votes')
    .select(['subject_id', (own) => own.fn.countAll<number>().as('count')])
    .where('subject_id', 'in', subjectIds)
    .groupBy('subject_id')
    .execute();
  return new Map(rows.map((row) => [row.subject_id, row.count]));
}

/** The vote of somebody for something, who is locked, as what they vote for is. */
export interface VoteBefore {
  readonly vote: CastVote | undefined;
  /**
   * The number of other votes of theirs for the same author that gave points in a time, ten at most; undefined for an
   * author who cannot sign in, and if it was not asked.
   */
  readonly giving: number | undefined;
}

export interface VoteAsked extends VoteFor {
  /** In which time votes count; undefined if they are not to be counted. */
  readonly counted: { readonly sinceMs: number; readonly upToMs: number } | undefined;
}

/** Reads how different people vote, in the order of the list. */
export async function selectBefore(
  tx: Transaction,
  asked: readonly VoteAsked[],
): Promise<readonly VoteBefore[]> {
  const rows = await tx.many<BeforeRow>({
    text: BEFORE,
    columns: ASKED,
    rows: asked.map(({ voted, userId, counted }) => {
      const pair = [voted.id, userId, voted.authorId];
      return [...pair, counted?.sinceMs ?? 0, counted?.upToMs ?? 0];
    }),
  });
  const byVoter = new Map(rows.map((row) => [row.voter_id, row]));
  return asked.map(({ userId }) => {
    const row = byVoter.get(userId);
    const vote = row?.value == null ? undefined : { value: row.value, points: row.points ?? 0 };
    return { vote, giving: row?.giving ?? undefined };
  });
}

const ASKED = {
  subject_id: 'text',
  voter_id: 'text',
  author_id: 'text',
  since_ms: 'bigint',
  up_to_ms: 'bigint',
} as const;

interface BeforeRow {
  readonly voter_id: string;
  /** Null if there is no vote, like `points`. */
  readonly value: CastVote['value'] | null;
  readonly points: number | null;
  readonly giving: number | null;
}

/** A vote, by what it is for and who cast it. */
export interface VoteKey {
  readonly subjectId: Id;
  readonly userId: Id;
}

/** Votes that gave somebody points in a community: those after one, or the first ones. */
export async function selectGiving(
  db: Reader,
  { communityId, authorId }: { readonly communityId: Id; readonly authorId: Id },
  { after, limit }: { readonly after: VoteKey | undefined; readonly limit: number },
): Promise<readonly VoteKey[]> {
  let query = db
    .selectFrom('votes')
    .select(['subject_id as subjectId', 'user_id as userId'])
    .where('community_id', '=', communityId)
    .where('author_id', '=', authorId)
    // Not a value, because the index has only votes with points.
    .where((own) => own('points', '>', own.lit(0)));
  if (after !== undefined) query = query.where((eb) => comparedKey(eb, '>', after));
  return await query.orderBy('subject_id').orderBy('user_id').limit(limit).execute();
}

/** Forgets what votes have given, and removes those for what is not there any more. */
export async function forgetGiven(
  tx: Transaction,
  votes: readonly VoteKey[],
  there: ReadonlySet<Id>,
): Promise<void> {
  const rowsOf = (isThere: boolean) =>
    votes
      .filter(({ subjectId }) => there.has(subjectId) === isThere)
      .map(({ subjectId, userId }) => [subjectId, userId]);
  await tx.runMany({ text: FORGET_POINTS, columns: KEY, rows: rowsOf(true) });
  await tx.runMany({ text: DELETE_ALL, columns: KEY, rows: rowsOf(false) });
}

/** The totals of these posts and comments, as their votes have it. */
export async function countVotes(db: Reader, ids: readonly Id[]): Promise<(id: Id) => Votes> {
  const rows = await db
    .selectFrom('votes')
    .select((own) => ['subject_id', 'value', own.fn.countAll<number>().as('count')])
    .where('subject_id', 'in', ids)
    .groupBy(['subject_id', 'value'])
    .execute();
  const counts = new Map(rows.map((row) => [`${row.subject_id} ${row.value}`, row.count]));
  return (id) => ({
    upvotes: counts.get(`${id} 1`) ?? 0,
    downvotes: counts.get(`${id} -1`) ?? 0,
  });
}

/** Reads the people to whom votes gave points, in the order of communities and people. */
export async function selectGivenTo(
  db: Reader,
  { after: { communityId, userId }, limit }: { readonly after: PointsKey; readonly limit: number },
): Promise<readonly PointsKey[]> {
  return await db
    .selectFrom('votes')
    .select(['community_id as communityId', 'author_id as userId'])
    .distinct()
    .where((eb) => eb(eb.refTuple('community_id', 'author_id'), '>', eb.tuple(communityId, userId)))
    .where((own) => own('points', '>', own.lit(0)))
    .orderBy('community_id')
    .orderBy('author_id')
    .limit(limit)
    .execute();
}

/** Sums what votes gave somebody in a community, in thousandths. */
export async function sumGiven(db: Reader, { communityId, userId }: PointsKey): Promise<number> {
  const given = await db
    .selectFrom('votes')
    .select((own) => own.fn.sum<number | string | null>('points').as('points'))
    .where('community_id', '=', communityId)
    .where('author_id', '=', userId)
    .where((own) => own('points', '>', own.lit(0)))
    .executeTakeFirst();
  return Number(given?.points ?? 0);
}
