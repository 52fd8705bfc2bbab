import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../ports/database/database.ts';
import { readRows, readRowsIn } from '../../ports/database/read-rows.ts';
import { idIn, sortable } from '../../ports/database/sortable-id.ts';
import { storedId } from '../../ports/database/stored-id.ts';
import { noteChanged } from '../search/note-changed.ts';
import {
  commentOf,
  mentionsText,
  rowOf,
  type CommentMentions,
  type StoredComment,
} from './stored-comment.ts';
import type { CommentsTable } from './tables.ts';

/** How many rows one statement adds, so that it has few enough parameters. */
const ROWS_AT_ONCE = 500;

/** Adds comments. */
export async function insertComments(
  db: Writer,
  comments: readonly StoredComment[],
): Promise<void> {
  for (let from = 0; from < comments.length; from += ROWS_AT_ONCE) {
    const rows = comments.slice(from, from + ROWS_AT_ONCE).map(rowOf);
    await db.insertInto('comments').values(rows).execute();
  }
}

/** A comment. */
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
  const rows = await readRowsIn<CommentsTable>(db, statement, ids.map(sortable));
  return rows.map(commentOf);
}

/** A comment that no other transaction changes until the end of this one. */
export async function lockComment(db: Writer, id: Id): Promise<StoredComment | undefined> {
  const row = await db
    .selectFrom('comments')
    .selectAll()
    .where('id', '=', sortable(id))
    .forUpdate()
    .executeTakeFirst();
  return row && commentOf(row);
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
    .where('post_id', '=', sortable(postId))
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
    .where('id', '=', sortable(id))
    .execute();
}

/** What an edit replaces. */
export interface CommentEdit {
  readonly content: string;
  readonly mentions: CommentMentions;
  readonly editedAtMs: number;
  readonly version: number;
}

/** Replaces the text of a comment. */
export async function updateContent(
  db: Writer,
  { id, channelId }: Pick<StoredComment, 'id' | 'channelId'>,
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
    .where('id', '=', sortable(id))
    .execute();
  await noteChanged(db, channelId, [id]);
}

/** Takes everything from a comment but its place. */
export async function empty(
  db: Writer,
  { id, channelId }: Pick<StoredComment, 'id' | 'channelId'>,
  { deletedAtMs, version }: Pick<StoredComment, 'deletedAtMs' | 'version'>,
): Promise<void> {
  await db
    .updateTable('comments')
    .set({
      user_id: '',
      content: '',
      mentions: '',
      edited_at_ms: 0,
      deleted_at_ms: deletedAtMs,
      version,
    })
    .where('id', '=', sortable(id))
    .execute();
  await noteChanged(db, channelId, [id]);
}

/** Removes comments of a channel. */
export async function deleteComments(db: Writer, channelId: Id, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom('comments').where('id', 'in', ids.map(sortable)).execute();
  await noteChanged(db, channelId, ids);
}

/** Some of the comments of a post. */
export async function selectSome(
  db: Reader,
  postId: Id,
  limit: number,
): Promise<readonly StoredComment[]> {
  const rows = await db
    .selectFrom('comments')
    .selectAll()
    .where('post_id', '=', sortable(postId))
    .orderBy('path')
    .limit(limit)
    .execute();
  return rows.map(commentOf);
}

/** Which comments of a user: those of a community, or all, after an id and up to another. */
export interface CommentsOf {
  readonly communityId?: Id | undefined;
  readonly after?: Id | undefined;
  readonly upTo?: Id | undefined;
  readonly limit: number;
}

/** Comments of a user that were not deleted, the oldest first. */
export async function selectCommentsOf(
  db: Reader,
  userId: Id,
  { communityId, after, upTo, limit }: CommentsOf,
): Promise<readonly StoredComment[]> {
  let query = db.selectFrom('comments').selectAll().where('user_id', '=', userId);
  if (communityId !== undefined) query = query.where('community_id', '=', communityId);
  if (after !== undefined) query = query.where('id', '>', sortable(after));
  if (upTo !== undefined) query = query.where('id', '<=', sortable(upTo));
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map(commentOf);
}

/** A comment without what it says. */
export type CommentPlace = Pick<StoredComment, 'id' | 'channelId' | 'communityId'>;

/** Where the newest comments of a user before an id are. */
export async function selectPlacesOf(
  db: Reader,
  userId: Id,
  { before, limit }: { readonly before: Id | undefined; readonly limit: number },
): Promise<readonly CommentPlace[]> {
  const isBefore = before === undefined ? '' : 'and id < $2';
  const values = before === undefined ? [userId] : [userId, sortable(before)];
  const text = `select id, channel_id, community_id from comments where user_id = $1 ${isBefore}
    order by id desc limit $${values.length + 1}`;
  const rows = await readRows<Pick<CommentsTable, 'id' | 'channel_id' | 'community_id'>>(db, {
    text,
    values: [...values, limit],
  });
  return rows.map((row) => ({
    id: idIn(row.id),
    channelId: storedId(row.channel_id),
    communityId: storedId(row.community_id),
  }));
}
