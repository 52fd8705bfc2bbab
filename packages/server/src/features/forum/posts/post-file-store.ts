import type { Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../../ports/database/database.ts';
import { postOf, type StoredPost } from './stored-post.ts';

const INSERT = `insert into post_files (file_id, channel_id, post_id)
  select file_id, channel_id, post_id from given`;

export async function insertPostFiles(
  tx: Transaction,
  posts: readonly Pick<StoredPost, 'channelId' | 'id' | 'files'>[],
): Promise<void> {
  const rows = posts.flatMap(({ channelId, id, files }) =>
    files.map((file) => [file.id, channelId, id]),
  );
  if (rows.length === 0) return;
  await tx.runMany({
    text: INSERT,
    columns: { file_id: 'text', channel_id: 'text', post_id: 'text' },
    rows,
  });
}

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
  if (after !== undefined) query = query.where('id', '>', after);
  const rows = await query.orderBy('id').limit(limit).forUpdate().execute();
  return rows.map(postOf);
}
