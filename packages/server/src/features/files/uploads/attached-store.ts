import type { Id } from '@hearth/protocol';
import type { Transaction, Writer } from '../../../ports/database/database.ts';
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
  if (row === undefined || row.public_uses > 0) return undefined;
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

/** An upload that somebody attaches to something. */
export interface Attaching {
  readonly id: Id;
  readonly userId: Id;
}

const LOCK = `select u.id, u.blob_key from given join uploads u on u.id = given.id and u.user_id = given.user_id order by u.id`;

/** Locks those of these uploads that are their users', in the order of their ids, and returns them with the keys of their contents. */
export async function lockUploads(
  tx: Transaction,
  uploads: readonly Attaching[],
): Promise<ReadonlyMap<Id, string>> {
  const rows = await tx.many<{ readonly id: Id; readonly blob_key: string }>({
    text: LOCK,
    columns: { id: 'text', user_id: 'text' },
    rows: uploads.map(({ id, userId }) => [id, userId]),
    locks: 'for update of u',
  });
  return new Map(rows.map((row) => [row.id, row.blob_key]));
}

const ATTACHED = `select given.id from given
  where exists (select 1 from channel_files where channel_files.file_id = given.id)
    or exists (select 1 from post_files where post_files.file_id = given.id)`;

/** Returns the uploads that are attached to a message or a post. */
export async function selectAttached(
  tx: Transaction,
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  const rows = await tx.many<{ readonly id: Id }>({
    text: ATTACHED,
    columns: { id: 'text' },
    rows: ids.map((id) => [id]),
  });
  return new Set(rows.map(({ id }) => id));
}

/** Checks whether an upload is attached to a message or a post. */
async function isAttached(db: Writer, id: Id): Promise<boolean> {
  const attached = (table: 'channel_files' | 'post_files') =>
    db.selectFrom(table).select('file_id').where('file_id', '=', id);
  const row = await attached('channel_files').union(attached('post_files')).executeTakeFirst();
  return row !== undefined;
}
