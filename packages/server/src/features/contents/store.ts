import type { FileMetadata } from '@hearth/protocol';
import type { Database, Reader, Writer } from '../../ports/database/database.ts';

/** A content as it is kept. */
export interface Content {
  readonly blobKey: string;
  readonly bucket: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly metadata: FileMetadata;
}

/** The key of the bucket's content with this hash. */
export async function findContentKey(
  db: Reader,
  bucket: string,
  sha256: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('contents')
    .select('blob_key')
    .where('bucket', '=', bucket)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.blob_key;
}

/** Whether a content has this key. */
export async function isRecorded(db: Reader, blobKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('contents')
    .select('blob_key')
    .where('blob_key', '=', blobKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether any content is recorded. */
export async function hasContents(database: Database): Promise<boolean> {
  return (await database.rows('select blob_key from contents limit 1')).length > 0;
}

/** Records a content. */
export async function insertContent(db: Writer, content: Content): Promise<void> {
  await db
    .insertInto('contents')
    .values({
      blob_key: content.blobKey,
      bucket: content.bucket,
      sha256: content.sha256,
      size_bytes: content.sizeBytes,
      content_type: content.contentType,
      metadata: JSON.stringify(content.metadata),
    })
    .execute();
}

/** Whether an upload or a static file refers to the content. */
export async function isReferred(db: Reader, blobKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('contents')
    .select((query) => [
      query
        .or([
          query.exists(
            query.selectFrom('uploads').select('id').where('uploads.blob_key', '=', blobKey),
          ),
          query.exists(
            query.selectFrom('statics').select('name').where('statics.blob_key', '=', blobKey),
          ),
        ])
        .as('referred'),
    ])
    .where('blob_key', '=', blobKey)
    .executeTakeFirst();
  return Boolean(row?.referred);
}

/** Forgets a content and notes its blob as still to be removed. */
export async function discardContent(db: Writer, blobKey: string): Promise<void> {
  await db.deleteFrom('contents').where('blob_key', '=', blobKey).execute();
  await db.insertInto('discarded_blobs').values({ blob_key: blobKey }).execute();
}

/** The blobs still to be removed. */
export async function listDiscardedBlobs(database: Database): Promise<readonly string[]> {
  const rows = await database.rows('select blob_key from discarded_blobs');
  return rows.map((row) => String(row['blob_key']));
}

/** Notes that a blob was removed. */
export async function forgetDiscardedBlob(db: Writer, blobKey: string): Promise<void> {
  await db.deleteFrom('discarded_blobs').where('blob_key', '=', blobKey).execute();
}
