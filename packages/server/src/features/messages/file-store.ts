import type { Id } from '@hearth/protocol';
import type { Writer } from '../../ports/database/database.ts';
import { sortable } from '../../ports/database/sortable-id.ts';
import type { StoredMessage } from './stored-message.ts';

/** Forgets that files belong to a message. */
export async function deleteFiles(db: Writer, fileIds: readonly Id[]): Promise<void> {
  if (fileIds.length === 0) return;
  await db.deleteFrom('channel_files').where('file_id', 'in', fileIds).execute();
}

/** Notes that files belong to a message. Returns how many of them did not belong to another one. */
export async function insertFiles(
  db: Writer,
  { channelId, id }: Pick<StoredMessage, 'channelId' | 'id'>,
  fileIds: readonly Id[],
): Promise<number> {
  const message = { channel_id: channelId, message_id: sortable(id) };
  const rows = await db
    .insertInto('channel_files')
    .values(fileIds.map((fileId) => ({ file_id: fileId, ...message })))
    .onConflict((conflict) => conflict.column('file_id').doNothing())
    .returning('file_id')
    .execute();
  return rows.length;
}

/** Whether one of these files belongs to a post. */
export async function isInPost(db: Writer, fileIds: readonly Id[]): Promise<boolean> {
  const row = await db
    .selectFrom('post_files')
    .select('file_id')
    .where('file_id', 'in', fileIds)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
