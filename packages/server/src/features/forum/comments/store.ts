import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import { readRows, readRowsIn } from '../../../ports/database/read-rows.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import { noteChanged } from '../../talk/index-queue/index-queue.ts';
import type { WrittenRange } from '../posts/posts.ts';
import { mentionsText } from '../../talk/mentions/mentions.ts';
import { newestBetween, type IdRange } from '../../../ports/database/id-range.ts';
import { commentOf, type CommentMentions, type StoredComment } from './stored-comment.ts';
import type { CommentsTable } from './tables.ts';

const INSERT = `insert into comments (id, post_id, channel_id, community_id, user_id, number, path, parent_id, depth, content,
    mentions, created_at_ms, edited_at_ms, deleted_at_ms, upvotes, downvotes, score, controversial, reply_count, version)
  select id, post_id, channel_id, community_id, user_id, number, path, parent_id, depth, content, mentions, created_at_ms,
    0, 0, 0, 0, 0, 0, 0, 1 from given`;

const INSERTED = {
  id: 'text',
  post_id: 'text',
  channel_id: 'text',
  community_id: 'text',
  user_id: 'text',
  number: 'bigint',
  path: 'text',
  parent_id: 'text',
  depth: 'bigint',
  content: 'text',
  mentions: 'text',
  created_at_ms: 'bigint',
} as const;

/** Adds comments that nobody has answered, changed or voted for. */
export async function insertNewComments(
  tx: Transaction,
  comments: readonly StoredComment[],
): Promise<void> {
  const rows = comments.map((comment) => [
    comment.id,
    comment.postId,
    comment.channelId,
    comment.communityId,
    comment.userId,
    comment.number,
    comment.path,
    comment.parentId,
    comment.depth,
    comment.content,
    mentionsText(comment.mentions),
    comment.createdAtMs,
  ]);
  await tx.runMany({ text: INSERT, columns: INSERTED, rows });
}

export async function selectComment(db: Reader, id: Id): Promise<StoredComment | undefined> {
  const [comment] = await selectComments(db, [id]);
  return comment;
}

/** Comments by their ids, in no order. */
export async function selectComments(
  db: Reader,
  ids: readonly Id[],
): Promise<readonly StoredComment[]> {
  const statement = { text: 'select * from comments where id in', values: [] };
  const rows = await readRowsIn<CommentsTable>(db, statement, ids);
  return rows.map(commentOf);
}

/** A comment that no other transaction changes until the end of this one. */
export async function lockComment(db: Writer, id: Id): Promise<StoredComment | undefined> {
  const row = await db
    .selectFrom('comments')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && commentOf(row);
}

const LOCK = 'select c.* from given join comments c on c.id = given.comment_id order by c.id';

/** Locks several comments, in the order of their ids. */
export async function lockComments(
  tx: Transaction,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, StoredComment>> {
  const rows = await tx.many<CommentsTable>({
    text: LOCK,
    columns: { comment_id: 'text' },
    rows: ids.map((id) => [id]),
    locks: 'for update of c',
  });
  return new Map(rows.map(commentOf).map((comment) => [comment.id, comment]));
}

/** The comments of a post that have these paths, in tree order. */
export async function selectByPaths(
  db: Reader,
  postId: Id,
  paths: readonly string[],
): Promise<readonly StoredComment[]> {
  if (paths.length === 0) return [];
  const rows = await db
    .selectFrom('comments')
    .selectAll()
    .where('post_id', '=', postId)
    .where('path', 'in', paths)
    .orderBy('path')
    .execute();
  return rows.map(commentOf);
}

/** Adds to the number of replies of a comment, or takes from it. */
export async function addReplies(db: Writer, id: Id, difference: number): Promise<void> {
  await db
    .updateTable('comments')
    .set((own) => ({ reply_count: own('reply_count', '+', difference) }))
    .where('id', '=', id)
    .execute();
}

const ADD_REPLIES = `update comments set reply_count = reply_count + replies from given
  where comments.id = given.comment_id`;

/** Adds to the numbers of replies of comments that are locked. */
export async function addAllReplies(
  tx: Transaction,
  replies: ReadonlyMap<Id, number>,
): Promise<void> {
  const rows = Array.from(replies, ([id, count]) => [id, count]);
  await tx.runMany({
    text: ADD_REPLIES,
    columns: { comment_id: 'text', replies: 'bigint' },
    rows,
  });
}

export interface CommentEdit {
  readonly content: string;
  readonly mentions: CommentMentions;
  readonly editedAtMs: number;
  readonly version: number;
}

export async function updateContent(
  db: Writer,
  { id }: Pick<StoredComment, 'id'>,
  edit: CommentEdit,
): Promise<void> {
  await db
    .updateTable('comments')
    .set({
      content: edit.content,
      mentions: mentionsText(edit.mentions),
      edited_at_ms: edit.editedAtMs,
      version: edit.version,
    })
    .where('id', '=', id)
    .execute();
  await noteChanged(db, 'comments', [id]);
}

/** Takes everything from a comment but its place. */
export async function empty(
  db: Writer,
  { id }: Pick<StoredComment, 'id'>,
  { deletedAtMs, version }: Pick<StoredComment, 'deletedAtMs' | 'version'>,
): Promise<void> {
  await db
    .updateTable('comments')
    .set({
      user_id: NO_ID,
      content: '',
      mentions: '',
      edited_at_ms: 0,
      deleted_at_ms: deletedAtMs,
      version,
    })
    .where('id', '=', id)
    .execute();
  await noteChanged(db, 'comments', [id]);
}

export async function deleteComments(db: Writer, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom('comments').where('id', 'in', ids).execute();
  await noteChanged(db, 'comments', ids);
}

/** Comments of a post after a path, in the order of their paths. */
export async function selectSome(
  db: Reader,
  postId: Id,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly StoredComment[]> {
  const rows = await db
    .selectFrom('comments')
    .selectAll()
    .where('post_id', '=', postId)
    .where('path', '>', after)
    .orderBy('path')
    .limit(limit)
    .execute();
  return rows.map(commentOf);
}

/** Comments of a user that were not deleted, the oldest first. */
export async function selectCommentsOf(
  db: Reader,
  userId: Id,
  { communityId, after, from, upTo, limit }: WrittenRange,
): Promise<readonly StoredComment[]> {
  let query = db.selectFrom('comments').selectAll().where('user_id', '=', userId);
  if (communityId !== undefined) query = query.where('community_id', '=', communityId);
  if (after !== undefined) query = query.where('id', '>', after);
  if (from !== undefined) query = query.where('id', '>=', from);
  if (upTo !== undefined) query = query.where('id', '<=', upTo);
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map(commentOf);
}

/** A comment without what it says. */
export type CommentPlace = Pick<StoredComment, 'id' | 'channelId' | 'communityId'>;

/** Reads where the newest comments of a user before an id are. */
export async function selectPlacesOf(
  db: Reader,
  userId: Id,
  { before, limit }: { readonly before: Id | undefined; readonly limit: number },
): Promise<readonly CommentPlace[]> {
  const isBefore = before === undefined ? '' : 'and id < $2';
  const values = before === undefined ? [userId] : [userId, before];
  const text = `select id, channel_id as "channelId", community_id as "communityId" from comments where user_id = $1 ${isBefore}
    order by id desc limit $${values.length + 1}`;
  return await readRows<CommentPlace>(db, { text, values: [...values, limit] });
}

/** The ids of the newest comments before an id that were not deleted, the newest first. */
export async function selectNewestCommentIds(
  db: Reader,
  range: Omit<IdRange, 'after'>,
): Promise<readonly Id[]> {
  const left = db.selectFrom('comments').select('id').where('deleted_at_ms', '=', 0);
  return (await newestBetween(left, range)).map(({ id }) => id);
}
