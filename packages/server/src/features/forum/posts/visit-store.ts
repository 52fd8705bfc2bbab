import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { readRowsIn, evenly, placesAfter, readRows } from '../../../ports/database/read-rows.ts';
import type { StoredPost } from './stored-post.ts';
import type { PostSavesTable } from './tables.ts';

/** Which of these posts somebody has saved. */
export async function selectSaved(
  db: Reader,
  userId: Id,
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  const text = 'select post_id from post_saves where user_id = $1 and post_id in';
  const statement = { text, values: [userId] };
  const rows = await readRowsIn<Pick<PostSavesTable, 'post_id'>>(db, statement, ids);
  return new Set(rows.map((row) => row.post_id));
}

/** Notes that somebody has seen the comments of a post up to one. */
export async function setVisit(
  db: Writer,
  { id, channelId, commentNumber }: Pick<StoredPost, 'id' | 'channelId' | 'commentNumber'>,
  { userId, nowMs }: { readonly userId: Id; readonly nowMs: number },
): Promise<void> {
  const visit = { comment_number: commentNumber, visited_at_ms: nowMs };
  await db
    .insertInto('post_visits')
    .values({ user_id: userId, post_id: id, channel_id: channelId, ...visit })
    .onConflict((conflict) => conflict.columns(['user_id', 'post_id']).doUpdateSet(visit))
    .execute();
}

/** Forgets all visits of somebody but the newest ones. */
export async function deleteOldVisits(db: Writer, userId: Id, kept: number): Promise<void> {
  const old = await db
    .selectFrom('post_visits')
    .select('post_id')
    .where('user_id', '=', userId)
    .orderBy('visited_at_ms', 'desc')
    .orderBy('post_id', 'desc')
    .offset(kept)
    .limit(100)
    .execute();
  if (old.length === 0) return;
  await db
    .deleteFrom('post_visits')
    .where('user_id', '=', userId)
    .where(
      'post_id',
      'in',
      old.map((row) => row.post_id),
    )
    .execute();
}

/** Saves a post for somebody; harmless if repeated. */
export async function insertSave(
  db: Writer,
  { id, channelId }: Pick<StoredPost, 'id' | 'channelId'>,
  { userId, nowMs }: { readonly userId: Id; readonly nowMs: number },
): Promise<void> {
  await db
    .insertInto('post_saves')
    .values({ user_id: userId, post_id: id, channel_id: channelId, saved_at_ms: nowMs })
    .onConflict((conflict) => conflict.columns(['user_id', 'post_id']).doNothing())
    .execute();
}

/** Removes a post from those that somebody has saved. Returns whether it was there. */
export async function deleteSave(db: Writer, userId: Id, id: Id): Promise<boolean> {
  const row = await db
    .deleteFrom('post_saves')
    .where('user_id', '=', userId)
    .where('post_id', '=', id)
    .returning('post_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the posts that somebody has saved. */
export async function countSaves(db: Reader, userId: Id): Promise<number> {
  const { count } = await db
    .selectFrom('post_saves')
    .select((own) => own.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

/** A post that somebody has saved, and where it is. */
export type SavedPost = Pick<StoredPost, 'id' | 'channelId' | 'communityId'>;

/** The posts that somebody has saved, before one, the newest post first. */
export async function selectSavedPosts(
  db: Reader,
  userId: Id,
  { before, limit }: { readonly before?: Id | undefined; readonly limit: number },
): Promise<readonly SavedPost[]> {
  let query = db
    .selectFrom('post_saves')
    .innerJoin('posts', 'posts.id', 'post_saves.post_id')
    .select(['posts.id', 'posts.channel_id as channelId', 'posts.community_id as communityId'])
    .where('post_saves.user_id', '=', userId);
  if (before !== undefined) query = query.where('post_saves.post_id', '<', before);
  return await query.orderBy('post_saves.post_id', 'desc').limit(limit).execute();
}

/** Removes at most so many saves or visits of a post. Returns how many there were. */
export async function deleteReaders(
  db: Writer,
  {
    table,
    postId,
    limit,
  }: {
    readonly table: 'post_saves' | 'post_visits';
    readonly postId: Id;
    readonly limit: number;
  },
): Promise<number> {
  const some = await db
    .selectFrom(table)
    .select('user_id')
    .where('post_id', '=', postId)
    .limit(limit)
    .execute();
  if (some.length === 0) return 0;
  const users = some.map((row) => row.user_id);
  await db.deleteFrom(table).where('post_id', '=', postId).where('user_id', 'in', users).execute();
  return some.length;
}

/** The marks of somebody on a post, and whether it has a poll. */
export interface PostMarks {
  readonly vote?: 1 | -1;
  readonly isSaved?: true;
  /** Up to which comment they have seen it. */
  readonly seenNumber?: number;
  readonly hasPoll?: true;
}

interface MarkRow {
  readonly kind: 'vote' | 'save' | 'visit' | 'poll';
  readonly post_id: Id;
  readonly value: number;
}

/**
 * Reads the marks of somebody on posts, and which of them have polls. Each page of a list asks this, so one statement
 * does.
 */
export async function selectMarks(
  db: Reader,
  userId: Id | undefined,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, PostMarks>> {
  const some = evenly(ids);
  const isOne = (column: string) => `${column} in (${placesAfter(0, some.length)})`;
  const user = `$${some.length + 1}`;
  const polls = `select 'poll' as kind, post_id, 0 as value from polls where ${isOne('post_id')}`;
  const own = `union all select 'save', post_id, 0 from post_saves
      where ${isOne('post_id')} and user_id = ${user}
    union all select 'visit', post_id, comment_number from post_visits
      where ${isOne('post_id')} and user_id = ${user}
    union all select 'vote', subject_id, value from votes
      where ${isOne('subject_id')} and user_id = ${user}`;
  const statement =
    userId === undefined
      ? { text: polls, values: some }
      : { text: `${polls} ${own}`, values: [...some, userId] };
  const marks = new Map<Id, PostMarks>();
  for (const row of await readRows<MarkRow>(db, statement)) {
    const id = row.post_id;
    marks.set(id, { ...marks.get(id), ...markOf(row) });
  }
  return marks;
}

function markOf({ kind, value }: MarkRow): PostMarks {
  switch (kind) {
    case 'vote':
      return { vote: Number(value) > 0 ? 1 : -1 };
    case 'save':
      return { isSaved: true };
    case 'visit':
      return { seenNumber: Number(value) };
    case 'poll':
      return { hasPoll: true };
  }
}
