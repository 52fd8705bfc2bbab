import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { ExportsTable } from './tables.ts';

/** The archive of a person; undefined if they have none. Its content has no size until it is ready. */
export async function selectExport(db: Reader, userId: Id) {
  return await db
    .selectFrom('exports')
    .leftJoin('contents', 'contents.blob_key', 'exports.blob_key')
    .selectAll('exports')
    .select('contents.size_bytes')
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export type StoredExport = Readonly<NonNullable<Awaited<ReturnType<typeof selectExport>>>>;

/** The archive that is ready under a key, unless its person's account was deleted. */
export async function selectArchive(db: Reader, key: string, nowMs: number) {
  return await db
    .selectFrom('exports')
    .innerJoin('contents', 'contents.blob_key', 'exports.blob_key')
    .innerJoin('users', 'users.id', 'exports.user_id')
    .select([
      'users.id as user_id',
      'users.username',
      'exports.requested_at_ms',
      'contents.blob_key as blobKey',
      'contents.content_type as contentType',
      'contents.size_bytes as sizeBytes',
      'contents.sha256',
    ])
    .where('exports.key', '=', key)
    .where('exports.state', '=', 'ready')
    .where('exports.expires_at_ms', '>', nowMs)
    .where('users.state', '!=', 'deleted')
    .executeTakeFirst();
}

/** A new archive of a person who has none. */
export async function insertExport(
  db: Writer,
  row: Pick<ExportsTable, 'user_id' | 'key' | 'requested_at_ms' | 'expires_at_ms'>,
): Promise<void> {
  await db
    .insertInto('exports')
    .values({ ...row, state: 'working', done: 0, total: 0, blob_key: null })
    .execute();
}

/** Notes how far an archive is. False if it is no longer wanted. */
export async function noteProgress(
  db: Writer,
  key: string,
  { done, total }: Pick<ExportsTable, 'done' | 'total'>,
): Promise<boolean> {
  const row = await db
    .updateTable('exports')
    .set({ done, total })
    .where('key', '=', key)
    .where('state', '=', 'working')
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes the content of an archive that is ready. False if it is no longer wanted. */
export async function noteArchive(
  db: Writer,
  key: string,
  { blobKey, expiresAtMs }: { readonly blobKey: string; readonly expiresAtMs: number },
): Promise<boolean> {
  const row = await db
    .updateTable('exports')
    .set({ state: 'ready', blob_key: blobKey, expires_at_ms: expiresAtMs })
    .where('key', '=', key)
    .where('state', '=', 'working')
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that an archive cannot be made. */
export async function noteFailure(db: Writer, key: string): Promise<void> {
  await db
    .updateTable('exports')
    .set({ state: 'failed' })
    .where('key', '=', key)
    .where('state', '=', 'working')
    .execute();
}

/** Deletes the archive of a person, if it expires by a moment. Returns the key of its content, if it has one. */
export async function deleteExport(
  db: Writer,
  userId: Id,
  expiredByMs = Number.MAX_SAFE_INTEGER,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('exports')
    .where('user_id', '=', userId)
    .where('expires_at_ms', '<=', expiredByMs)
    .returning('blob_key')
    .executeTakeFirst();
  return row?.blob_key ?? undefined;
}

/** Whose archives have expired, some at a time. */
export async function selectExpired(db: Reader, nowMs: number): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('exports')
    .select('user_id')
    .where('expires_at_ms', '<=', nowMs)
    .limit(100)
    .execute();
  return rows.map(({ user_id: id }) => id);
}
