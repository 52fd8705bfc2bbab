import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { lockPosts, ACTIVE_FOR_MS, type CommentedPost } from '../posts/posts.ts';
import { readRows } from '../../../ports/database/read-rows.ts';
import type { CommentsTable } from './tables.ts';

/** Counts the comments of posts. */
export async function countComments(
  db: Reader,
  postIds: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  const rows = await db
    .selectFrom('comments')
    .select((own) => ['post_id', own.fn.countAll<number>().as('count')])
    .where('post_id', 'in', postIds)
    .groupBy('post_id')
    .execute();
  return new Map(rows.map((row) => [row.post_id, row.count]));
}

export type CommentCounters = Pick<
  CommentsTable,
  'upvotes' | 'downvotes' | 'score' | 'controversial' | 'reply_count'
>;

export interface LockedComments {
  /** The last of those that were to be locked; undefined if there was none. */
  readonly last: Id | undefined;
  readonly comments: readonly (CommentCounters & Pick<CommentsTable, 'id'>)[];
}

/** The comments after one of them, which nobody else changes until the transaction ends, as their posts. */
export async function lockCommentsAfter(
  db: Writer,
  { after, limit }: { readonly after: Id; readonly limit: number },
): Promise<LockedComments> {
  const next = await db
    .selectFrom('comments')
    .select(['id', 'post_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  const last = next.at(-1)?.id;
  if (last === undefined) return { last, comments: [] };
  await lockPosts(db, [...new Set(next.map(({ post_id }) => post_id))]);
  const comments = await db
    .selectFrom('comments')
    .select(['id', 'upvotes', 'downvotes', 'score', 'controversial', 'reply_count'])
    .where(
      'id',
      'in',
      next.map(({ id }) => id),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  return { last, comments };
}

/** Counts the replies to comments. */
export async function countReplies(
  db: Reader,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, number>> {
  const rows = await db
    .selectFrom('comments as replies')
    .innerJoin('comments as parents', (join) =>
      join
        .onRef('parents.post_id', '=', 'replies.post_id')
        .onRef('parents.id', '=', 'replies.parent_id'),
    )
    .select((own) => ['parents.id', own.fn.countAll<number>().as('count')])
    .where('parents.id', 'in', ids)
    .groupBy('parents.id')
    .execute();
  return new Map(rows.map((row) => [row.id, row.count]));
}

/** Corrects what is counted of a comment that is locked. */
export async function correctComment(db: Writer, id: Id, right: CommentCounters): Promise<void> {
  await db.updateTable('comments').set(right).where('id', '=', id).execute();
}

/** The index `comments_activity` has all that this reads, in its order, so a post may have any number of comments. */
const NEWEST = `select created_at_ms from comments where post_id = $1 and created_at_ms <= $2
  and user_id <> $3 and user_id <> '' order by created_at_ms desc limit 1`;

/** When the newest comment was written that makes a post active, as `countsAsActivity` says; 0 if there is none. */
export async function selectActivity(
  db: Reader,
  { id, userId, createdAtMs }: Pick<CommentedPost, 'id' | 'userId' | 'createdAtMs'>,
): Promise<number> {
  const values = [id, createdAtMs + ACTIVE_FOR_MS, userId];
  const [newest] = await readRows<{ readonly created_at_ms: number | string }>(db, {
    text: NEWEST,
    values,
  });
  return Number(newest?.created_at_ms ?? 0);
}
