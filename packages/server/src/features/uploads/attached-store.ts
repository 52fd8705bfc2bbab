import type { Id } from '@hearth/protocol';
import type { Writer } from '../../ports/database/database.ts';
import { deleteUpload } from './store.ts';

/** Deletes an upload and returns the key of its content; undefined if it is not there, or is used as an avatar or the like. */
export async function deleteUnusedUpload(db: Writer, id: Id): Promise<string | undefined> {
  const row = await db
    .selectFrom('uploads')
    .select('public_uses')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined || Number(row.public_uses) > 0 ? undefined : await deleteUpload(db, id);
}

/** Locks those of these uploads that are a user's, and returns how many there are. */
export async function lockUploadsOf(
  db: Writer,
  { userId, ids }: { readonly userId: Id; readonly ids: readonly Id[] },
): Promise<number> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.length;
}
