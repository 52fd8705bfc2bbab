import { parseId, type FileMetadata, type Id } from '@hearth/protocol';
import { fileMetadataSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../context.ts';
import type { Reader, Writer } from '../../ports/database/database.ts';

/** An upload and its content. */
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
}

/** What is recorded of an upload itself. */
export interface UploadRecord {
  readonly id: Id;
  readonly bucket: string;
  readonly blobKey: string;
  readonly name: string;
  readonly spoiler: boolean;
  readonly uploadedAtMs: number;
}

const uploadsWithContents = (db: Reader) =>
  db
    .selectFrom('uploads')
    .innerJoin('contents', 'contents.blob_key', 'uploads.blob_key')
    .select([
      'uploads.id',
      'uploads.name',
      'uploads.bucket',
      'uploads.spoiler',
      'uploads.uploaded_at_ms',
      'uploads.blob_key',
      'contents.sha256',
      'contents.size_bytes',
      'contents.content_type',
      'contents.metadata',
      'contents.placeholder',
    ]);

type UploadRow = Awaited<
  ReturnType<ReturnType<typeof uploadsWithContents>['executeTakeFirstOrThrow']>
>;

/** Records an upload. */
export async function insertUpload(db: Writer, upload: UploadRecord): Promise<void> {
  await db
    .insertInto('uploads')
    .values({
      id: upload.id,
      bucket: upload.bucket,
      blob_key: upload.blobKey,
      name: upload.name,
      spoiler: upload.spoiler ? 1 : 0,
      uploaded_at_ms: upload.uploadedAtMs,
    })
    .execute();
}

/** The upload with this id in this bucket. */
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

/** The uploads with these ids in this bucket, in no order. */
export async function selectUploadsOf(
  db: Reader,
  bucket: string,
  ids: readonly Id[],
): Promise<readonly StoredUpload[]> {
  const rows = await uploadsWithContents(db)
    .where('uploads.id', 'in', ids)
    .where('uploads.bucket', '=', bucket)
    .execute();
  return rows.map(storedUpload);
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

/** How many uploads a bucket has. */
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
    .returning('blob_key')
    .executeTakeFirst();
  return row?.blob_key;
}

function storedUpload(row: UploadRow): StoredUpload {
  const id = parseId(row.id);
  if (id === undefined) throw new TypeError('an upload without an identifier is stored');
  return {
    id,
    name: row.name,
    bucket: row.bucket,
    sizeBytes: Number(row.size_bytes),
    contentType: row.content_type,
    metadata: fileMetadataSchema.parse(JSON.parse(row.metadata)),
    placeholder: row.placeholder,
    spoiler: row.spoiler !== 0,
    uploadedAtMs: Number(row.uploaded_at_ms),
    sha256: row.sha256,
    blobKey: row.blob_key,
  };
}
