import type { Id } from '@hearth/protocol';
import type { Writer } from '../../ports/database/database.ts';
import { deleteUpload } from './store.ts';

/**
 * Deletes an upload and returns the key of its content; undefined if it is not there, or if something uses it: a profile, a
 * community, a message or a post. Others who are about to use it wait until the transaction ends.
 */
export async function deleteUnusedUpload(db: Writer, id: Id): Promise<string | undefined> {
  const row = await db
    .selectFrom('uploads')
    .select('public_uses')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined || Number(row.public_uses) > 0) return undefined;
  return (await isAttached(db, id)) ? undefined : await deleteUpload(db, id);
}

/** Ends all public uses of an upload. Returns the key of its content. */
export async function endPublicUses(db: Writer, id: Id): Promise<string | undefined> {
  const row = await db
    .updateTable('uploads')
    .set({ public_uses: 0, hidden_uses: 0 })
    .where('id', '=', id)
    .returning('blob_key')
    .executeTakeFirst();
  return row?.blob_key;
}

/** Counts public uses of an upload that nobody sees any more, or that are seen again. Returns the key of its content. */
export async function addHiddenUses(
  db: Writer,
  id: Id,
  count: 1 | -1,
): Promise<string | undefined> {
  const row = await db
    .updateTable('uploads')
    .set((each) => ({ hidden_uses: each('hidden_uses', '+', count) }))
    .where('id', '=', id)
    .returning('blob_key')
    .executeTakeFirst();
  return row?.blob_key;
}

/** Locks those of these uploads that are a user's, and returns the keys of their contents. */
export async function lockUploadsOf(
  db: Writer,
  { userId, ids }: { readonly userId: Id; readonly ids: readonly Id[] },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('blob_key')
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map((row) => row.blob_key);
}

/** Checks whether an upload is attached to a message or a post. */
async function isAttached(db: Writer, id: Id): Promise<boolean> {
  const attached = (table: 'channel_files' | 'post_files') =>
    db.selectFrom(table).select('file_id').where('file_id', '=', id);
  const row = await attached('channel_files').union(attached('post_files')).executeTakeFirst();
  return row !== undefined;
}
