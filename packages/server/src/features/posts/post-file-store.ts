import type { Id } from '@hearth/protocol';
import type { Writer } from '../../ports/database/database.ts';
import { sortable } from '../../ports/database/sortable-id.ts';
import { postOf, type StoredPost } from './stored-post.ts';

/** Notes that files belong to a post. Returns whether none of them belonged to anything else. */
export async function insertPostFiles(
  db: Writer,
  { channelId, id }: Pick<StoredPost, 'channelId' | 'id'>,
  fileIds: readonly Id[],
): Promise<boolean> {
  const taken = await db
    .selectFrom('channel_files')
    .select('file_id')
    .where('file_id', 'in', fileIds)
    .limit(1)
    .executeTakeFirst();
  const post = { channel_id: channelId, post_id: sortable(id) };
  const rows = await db
    .insertInto('post_files')
    .values(fileIds.map((fileId) => ({ file_id: fileId, ...post })))
    .onConflict((conflict) => conflict.column('file_id').doNothing())
    .returning('file_id')
    .execute();
  return taken === undefined && rows.length === fileIds.length;
}

/** Forgets that files belong to posts. */
export async function deletePostFiles(db: Writer, fileIds: readonly Id[]): Promise<void> {
  if (fileIds.length === 0) return;
  await db.deleteFrom('post_files').where('file_id', 'in', fileIds).execute();
}

/** Posts of a channel after one of them that have files, the oldest first. */
export async function lockPostsWithFiles(
  db: Writer,
  channelId: Id,
  { after, limit }: { readonly after: Id | undefined; readonly limit: number },
): Promise<readonly StoredPost[]> {
  let query = db
    .selectFrom('posts')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('files', '!=', '');
  if (after !== undefined) query = query.where('id', '>', sortable(after));
  const rows = await query.orderBy('id').limit(limit).forUpdate().execute();
  return rows.map(postOf);
}
