import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';

/** The archive of a person. */
export interface StoredExport {
  readonly userId: Id;
  readonly state: 'working' | 'ready' | 'failed';
  readonly done: number;
  readonly total: number;
  readonly key: string;
  readonly requestedAtMs: number;
  readonly expiresAtMs: number;
  /** 0 until it is ready. */
  readonly sizeBytes: number;
}

/** The bytes of an archive that is ready. */
export interface StoredArchive {
  readonly userId: Id;
  readonly username: string;
  readonly blobKey: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly requestedAtMs: number;
}

/** The archive of a person; undefined if they have none. */
export async function selectExport(db: Reader, userId: Id): Promise<StoredExport | undefined> {
  const row = await db
    .selectFrom('exports')
    .leftJoin('contents', 'contents.blob_key', 'exports.blob_key')
    .selectAll('exports')
    .select('contents.size_bytes')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    userId,
    state: row.state,
    done: Number(row.done),
    total: Number(row.total),
    key: row.key,
    requestedAtMs: row.requested_at_ms,
    expiresAtMs: row.expires_at_ms,
    sizeBytes: Number(row.size_bytes ?? 0),
  };
}

/** The archive that is ready under a key, unless its person's account was deleted. */
export async function selectArchive(
  db: Reader,
  key: string,
  nowMs: number,
): Promise<StoredArchive | undefined> {
  const row = await db
    .selectFrom('exports')
    .innerJoin('contents', 'contents.blob_key', 'exports.blob_key')
    .innerJoin('users', 'users.id', 'exports.user_id')
    .select([
      'users.id',
      'users.username',
      'exports.requested_at_ms',
      'contents.blob_key',
      'contents.content_type',
      'contents.size_bytes',
      'contents.sha256',
    ])
    .where('exports.key', '=', key)
    .where('exports.state', '=', 'ready')
    .where('exports.expires_at_ms', '>', nowMs)
    .where('users.state', '!=', 'deleted')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    userId: row.id,
    username: row.username,
    blobKey: row.blob_key,
    contentType: row.content_type,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    requestedAtMs: row.requested_at_ms,
  };
}

/** A new archive of a person who has none. */
export async function insertExport(
  db: Writer,
  {
    userId,
    key,
    requestedAtMs,
    expiresAtMs,
  }: Pick<StoredExport, 'userId' | 'key' | 'requestedAtMs' | 'expiresAtMs'>,
): Promise<void> {
  await db
    .insertInto('exports')
    .values({
      user_id: userId,
      state: 'working',
      done: 0,
      total: 0,
      key,
      blob_key: null,
      requested_at_ms: requestedAtMs,
      expires_at_ms: expiresAtMs,
    })
    .execute();
}

/** Notes how far an archive is. False if it is no longer wanted. */
export async function noteProgress(
  db: Writer,
  key: string,
  { done, total }: Pick<StoredExport, 'done' | 'total'>,
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
