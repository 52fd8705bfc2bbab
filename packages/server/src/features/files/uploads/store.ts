import type { FileMetadata, Id } from '@hearth/protocol';
import { fileMetadataSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { UploadsTable } from './tables.ts';

export interface StoredUpload {
  readonly id: Id;
  readonly name: string;
  readonly bucket: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly metadata: FileMetadata;
  /** Empty if it has none, and null as long as that is not known. */
  readonly placeholder: string | null;
  readonly spoiler: boolean;
  readonly uploadedAtMs: number;
  readonly sha256: string;
  readonly blobKey: string;
  /** The user who uploaded it. Null if that was somebody without an account. */
  readonly userId: Id | null;
  /** The key that a request has to give to see it. Null if it needs nothing. */
  readonly key: string | null;
  /** True if everyone sees it, because it has no key or is seen as an avatar or the like. */
  readonly isPublic: boolean;
}

export type UploadRecord = Omit<UploadsTable, 'public_uses' | 'hidden_uses'>;

export const uploadsWithContents = (db: Reader) =>
  db
    .selectFrom('uploads')
    .innerJoin('contents', 'contents.blob_key', 'uploads.blob_key')
    .select([
      'uploads.id',
      'uploads.name',
      'uploads.bucket',
      'uploads.spoiler',
      'uploads.uploaded_at_ms as uploadedAtMs',
      'uploads.blob_key as blobKey',
      'uploads.user_id as userId',
      'uploads.key',
      'uploads.public_uses',
      'uploads.hidden_uses',
      'contents.sha256',
      'contents.size_bytes as sizeBytes',
      'contents.content_type as contentType',
      'contents.metadata',
      'contents.placeholder',
    ]);

type UploadRow = Awaited<
  ReturnType<ReturnType<typeof uploadsWithContents>['executeTakeFirstOrThrow']>
>;

export async function insertUpload(db: Writer, upload: UploadRecord): Promise<void> {
  await db
    .insertInto('uploads')
    .values({ ...upload, public_uses: 0, hidden_uses: 0 })
    .execute();
}

export async function selectUpload(
  ctx: Context,
  bucket: string,
  id: Id,
): Promise<StoredUpload | undefined> {
  const row = await uploadsWithContents(ctx.database.reader)
    .where('uploads.id', '=', id)
    .where('uploads.bucket', '=', bucket)
    .executeTakeFirst();
  return row === undefined ? undefined : storedUpload(row);
}

/** Uploads of a user, at most so many: all, or those that are used as an avatar or the like. In no order. */
export async function selectUploadsBy(
  db: Reader,
  userId: Id,
  { arePublic, limit }: { readonly arePublic: boolean; readonly limit: number },
): Promise<readonly StoredUpload[]> {
  let query = uploadsWithContents(db).where('uploads.user_id', '=', userId);
  if (arePublic) query = query.where('uploads.public_uses', '>', 0);
  return (await query.limit(limit).execute()).map(storedUpload);
}

/** Leaves uploads of a user without an owner, at most so many. Returns how many there were. */
export async function disownUploads(db: Writer, userId: Id, limit: number): Promise<number> {
  const rows = await db
    .updateTable('uploads')
    .set({ user_id: null })
    .where('id', 'in', (query) =>
      query.selectFrom('uploads').select('id').where('user_id', '=', userId).limit(limit),
    )
    .returning('id')
    .execute();
  return rows.length;
}

/** Every upload, the oldest first; those of one millisecond by their ids. */
export async function selectUploads(ctx: Context): Promise<readonly StoredUpload[]> {
  const rows = await uploadsWithContents(ctx.database.reader)
    .orderBy('uploads.uploaded_at_ms')
    // Of decimal numbers as text, the longer one is larger.
    .orderBy((query) => query.fn<number>('length', ['uploads.id']))
    .orderBy('uploads.id')
    .execute();
  return rows.map(storedUpload);
}

export async function countUploads({ database }: Context, bucket: string): Promise<number> {
  const { count } = await database.reader
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('bucket', '=', bucket)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes an upload and returns the key of its content, or undefined if there is no upload with this id. */
export async function deleteUpload(db: Writer, id: Id): Promise<string | undefined> {
  const row = await db
    .deleteFrom('uploads')
    .where('id', '=', id)
    .returning(['blob_key', 'user_id'])
    .executeTakeFirst();
  if (row === undefined || row.user_id === null) return row?.blob_key;
  const { size_bytes } = await db
    .selectFrom('contents')
    .select('size_bytes')
    .where('blob_key', '=', row.blob_key)
    .executeTakeFirstOrThrow();
  await addUserBytes(db, row.user_id, -size_bytes);
  return row.blob_key;
}

/** Counts a public use of an upload of a user. Returns the key of its content, or undefined if there is no such upload. */
export async function addPublicUse(
  db: Writer,
  { userId, id }: { readonly userId: Id; readonly id: Id },
): Promise<string | undefined> {
  const row = await db
    .updateTable('uploads')
    .set((each) => ({ public_uses: each('public_uses', '+', 1) }))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('blob_key')
    .executeTakeFirst();
  return row?.blob_key;
}

/** Counts a public use less. Returns the key of the content, or undefined if there is no such upload. */
export async function endPublicUse(db: Writer, id: Id): Promise<string | undefined> {
  const row = await db
    .updateTable('uploads')
    .set((each) => ({ public_uses: each('public_uses', '-', 1) }))
    .where('id', '=', id)
    .returning('blob_key')
    .executeTakeFirst();
  return row?.blob_key;
}

/** Reads who has made an upload; null if that was somebody without an account, or if there is no such upload. */
export async function selectUploader(db: Reader, id: Id): Promise<Id | null> {
  const row = await db
    .selectFrom('uploads')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/**
 * Adds to the bytes that the uploads of a user take, before an upload is recorded or after one is deleted, and returns the
 * sum. Others that do this for the user wait until the transaction ends.
 */
export async function addUserBytes(db: Writer, userId: Id, bytes: number): Promise<number> {
  const added = await db
    .updateTable('user_bytes')
    .set((each) => ({ bytes: each('bytes', '+', bytes) }))
    .where('user_id', '=', userId)
    .returning('bytes')
    .executeTakeFirst();
  if (added !== undefined) return added.bytes;
  const counted = await countUserBytes(db, userId);
  const isDeleted = bytes < 0;
  // What others have not committed is not counted: they wait for this row, and then add their own.
  const row = await db
    .insertInto('user_bytes')
    .values({ user_id: userId, bytes: isDeleted ? counted : counted + bytes })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet((each) => ({ bytes: each('user_bytes.bytes', '+', bytes) })),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** The bytes that the uploads of a user take. Files of the same bytes count each. */
export async function selectUserBytes(db: Reader, userId: Id): Promise<number> {
  const row = await db
    .selectFrom('user_bytes')
    .select('bytes')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row === undefined ? countUserBytes(db, userId) : row.bytes;
}

async function countUserBytes(db: Reader, userId: Id): Promise<number> {
  const row = await db
    .selectFrom('uploads')
    .innerJoin('contents', 'contents.blob_key', 'uploads.blob_key')
    .select(({ fn }) => fn.sum('contents.size_bytes').as('bytes'))
    .where('uploads.user_id', '=', userId)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

export function storedUpload({ public_uses, hidden_uses, ...row }: UploadRow): StoredUpload {
  return {
    ...row,
    metadata: fileMetadataSchema.parse(JSON.parse(row.metadata)),
    spoiler: row.spoiler !== 0,
    isPublic: row.key === null || public_uses > hidden_uses,
  };
}
