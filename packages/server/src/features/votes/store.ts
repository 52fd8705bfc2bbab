import type { Id } from '@hearth/protocol';
import type { ExpressionBuilder } from 'kysely';
import type { Reader, Transaction, Writer } from '../../ports/database/database.ts';
import { readRowsIn } from '../../ports/database/read-rows.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import type { VotesTable, VotesTables } from './tables.ts';
import type { Voted } from './voted.ts';

/** A vote, and what it gave the author, in thousandths. */
export interface CastVote {
  readonly value: 1 | -1;
  readonly points: number;
}

type CastRow = Pick<VotesTable, 'value' | 'points'>;

// Each vote runs these, so that they are prepared.
const VOTER = `select u.created_at_ms, m.version as member_version, c.structure_version
  from users u join members m on m.user_id = u.id join communities c on c.id = m.community_id
  where u.id = $1 and u.state = 'active' and c.id = $2`;
const VOTER_LOCKS = 'for no key update of u for share of m';
const COUNT_GIVING = `select (select count(*) from (select 1 from votes
    where user_id = $1 and author_id = $2 and cast_at_ms > $3 and points > 0 and subject_id <> $4 limit 10) as recent) as giving
  from users where id = $5 and state = 'active'`;
const DELETE = 'delete from votes where subject_id = $1 and user_id = $2';
const UPSERT = `insert into votes (subject_id, user_id, kind, channel_id, community_id, author_id, value, points, cast_at_ms)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (subject_id, user_id)
  do update set value = excluded.value, points = excluded.points, cast_at_ms = excluded.cast_at_ms`;

/** Stores the vote of somebody, instead of an earlier one. */
export async function upsertVote(
  tx: Transaction,
  { kind, id, channelId, communityId, authorId }: Voted,
  { userId, nowMs, value, points }: CastVote & { readonly userId: Id; readonly nowMs: number },
): Promise<void> {
  const place = [sortable(id), sortable(userId), kind, channelId, communityId, authorId];
  await tx.run({ text: UPSERT, values: [...place, value, points, nowMs] });
}

/** Deletes a vote. */
export async function deleteVote(tx: Transaction, subjectId: Id, userId: Id): Promise<void> {
  await tx.run({ text: DELETE, values: [sortable(subjectId), sortable(userId)] });
}

/** The same, and returns what it was. */
export async function takeVote(
  tx: Transaction,
  subjectId: Id,
  userId: Id,
): Promise<CastVote | undefined> {
  const values = [sortable(subjectId), sortable(userId)];
  const text = `${DELETE} returning value, points`;
  const [row] = await tx.rows<CastRow>({ text, values });
  return row && voteOf(row.value, row.points);
}

/** How somebody votes for these posts and comments. */
export async function selectVotesOf(
  db: Reader,
  userId: Id,
  subjectIds: readonly Id[],
): Promise<ReadonlyMap<Id, 1 | -1>> {
  const text = 'select subject_id, value from votes where user_id = $1 and subject_id in';
  const rows = await readRowsIn<Pick<VotesTable, 'subject_id' | 'value'>>(
    db,
    { text, values: [sortable(userId)] },
    subjectIds.map(sortable),
  );
  return new Map(rows.map((row) => [idIn(row.subject_id), valueOf(row.value)]));
}

/** Which of the votes for something: those of the newest accounts between two. */
export interface VotesRange {
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/** Who voted for something, the newest account first. */
export async function selectVoters(
  db: Reader,
  subjectId: Id,
  { after, before, limit }: VotesRange,
) {
  let query = db
    .selectFrom('votes')
    .select(['user_id', 'value', 'cast_at_ms'])
    .where('subject_id', '=', sortable(subjectId));
  if (after !== undefined) query = query.where('user_id', '>', sortable(after));
  if (before !== undefined) query = query.where('user_id', '<', sortable(before));
  // Those right after a place are the first ones after it, as in the lists of messages.
  const isUpwards = after !== undefined && before === undefined;
  const rows = await query
    .orderBy('user_id', isUpwards ? 'asc' : 'desc')
    .limit(limit)
    .execute();
  const votes = rows.map((row) => ({
    userId: idIn(row.user_id),
    value: valueOf(row.value),
    castAtMs: Number(row.cast_at_ms),
  }));
  return isUpwards ? votes.toReversed() : votes;
}

/** The votes of somebody, those for the oldest posts and comments first. */
export async function selectVotesAfter(
  db: Reader,
  userId: Id,
  { after, limit }: { readonly after: Id | undefined; readonly limit: number },
) {
  let query = db
    .selectFrom('votes')
    .select(['subject_id', 'kind', 'channel_id', 'community_id', 'author_id', 'value'])
    .select('cast_at_ms')
    .where('user_id', '=', sortable(userId));
  if (after !== undefined) query = query.where('subject_id', '>', sortable(after));
  const rows = await query.orderBy('subject_id').limit(limit).execute();
  return rows.map((row) => ({
    id: idIn(row.subject_id),
    kind: row.kind,
    channelId: storedId(row.channel_id),
    communityId: storedId(row.community_id),
    authorId: storedId(row.author_id),
    value: valueOf(row.value),
    castAtMs: Number(row.cast_at_ms),
  }));
}

/** Removes those votes for something deleted that gave no points. */
export async function deleteVotesFor(db: Writer, subjectIds: readonly Id[]): Promise<void> {
  if (subjectIds.length === 0) return;
  await db
    .deleteFrom('votes')
    .where('subject_id', 'in', subjectIds.map(sortable))
    .where('points', '=', 0)
    .execute();
}

/** Removes at most so many votes of a channel that gave no points. Returns how many there were. */
export async function deleteVotesIn(db: Writer, channelId: Id, limit: number): Promise<number> {
  const some = withoutPoints(db, limit).where('channel_id', '=', channelId);
  return await deleteRows(db, await some.execute());
}

/** The same of those for something that was deleted. */
export async function deleteSomeVotesFor(
  db: Writer,
  subjectIds: readonly Id[],
  limit: number,
): Promise<number> {
  if (subjectIds.length === 0) return 0;
  const some = withoutPoints(db, limit).where('subject_id', 'in', subjectIds.map(sortable));
  return await deleteRows(db, await some.execute());
}

function withoutPoints(db: Reader, limit: number) {
  return db
    .selectFrom('votes')
    .select(['subject_id', 'user_id'])
    .where('points', '=', 0)
    .limit(limit);
}

async function deleteRows(
  db: Writer,
  rows: readonly Pick<VotesTable, 'subject_id' | 'user_id'>[],
): Promise<number> {
  for (const [subjectId, all] of Map.groupBy(rows, (row) => row.subject_id)) {
    const users = all.map((row) => row.user_id);
    await db
      .deleteFrom('votes')
      .where('subject_id', '=', subjectId)
      .where('user_id', 'in', users)
      .execute();
  }
  return rows.length;
}

/**
 * How many votes of one person for another gave points since then, ten at most and without that for one thing. Undefined if the
 * other cannot sign in.
 */
export async function countGiving(
  tx: Transaction,
  { userId, authorId, id }: { readonly userId: Id; readonly authorId: Id; readonly id: Id },
  sinceMs: number,
): Promise<number | undefined> {
  const values = [sortable(userId), authorId, sinceMs, sortable(id), authorId];
  const [row] = await tx.rows<{ readonly giving: number }>({ text: COUNT_GIVING, values });
  return row && Number(row.giving);
}

/** An active member who votes, and what their transaction finds of the community. */
export interface HeldVoter {
  /** When the account was made. */
  readonly createdAtMs: number;
  readonly memberVersion: number;
  readonly structureVersion: number;
}

/**
 * Keeps an account and its membership as they are until the transaction ends. Undefined if the account cannot be used, or if it is
 * that of no member.
 */
export async function holdVoter(
  tx: Transaction,
  userId: Id,
  communityId: Id,
): Promise<HeldVoter | undefined> {
  const values = [userId, communityId];
  const [row] = await tx.rows<VoterRow>({ text: VOTER, values, locks: VOTER_LOCKS });
  return (
    row && {
      createdAtMs: Number(row.created_at_ms),
      memberVersion: Number(row.member_version),
      structureVersion: Number(row.structure_version),
    }
  );
}

interface VoterRow {
  readonly created_at_ms: number;
  readonly member_version: number;
  readonly structure_version: number;
}

/** A vote as it is stored. */
export function voteOf(value: number, points: number): CastVote {
  return { value: valueOf(value), points: Number(points) };
}

// Guarantee: nothing else is stored.
function valueOf(value: number): 1 | -1 {
  return Number(value) as 1 | -1;
}

/**
 * Forgets what at most so many votes have given somebody, and removes those for what was deleted. Returns how many it were.
 */
export async function forgetGiven(db: Writer, authorId: Id, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('votes')
    .leftJoin('posts', 'posts.id', 'votes.subject_id')
    .leftJoin('comments', 'comments.id', 'votes.subject_id')
    .select(['votes.subject_id', 'votes.user_id', 'posts.id as post', 'comments.id as comment'])
    .where('votes.author_id', '=', authorId)
    .where('votes.points', '>', 0)
    .limit(limit)
    .execute();
  for (const { subject_id: subject, user_id: user, post, comment } of rows) {
    const isThere = post !== null || comment !== null;
    const key = { subject_id: subject, user_id: user };
    const row = (eb: ExpressionBuilder<VotesTables, 'votes'>) => eb.and(key);
    if (isThere) await db.updateTable('votes').set({ points: 0 }).where(row).execute();
    else await db.deleteFrom('votes').where(row).execute();
  }
  return rows.length;
}
