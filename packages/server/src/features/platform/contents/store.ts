import type { FileMetadata } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { VariantWish } from '../../../ports/pictures/pictures.ts';

export interface Content {
  readonly blobKey: string;
  readonly bucket: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly metadata: FileMetadata;
  /** A picture's ThumbHash, empty if it has none, and null as long as that is not known. */
  readonly placeholder?: string | null;
}

/** The key of the bucket's content with this hash. */
export async function findContentKey(
  db: Reader,
  { bucket, sha256 }: Pick<Content, 'bucket' | 'sha256'>,
): Promise<string | undefined> {
  const row = await contentsOf(db, bucket, sha256).executeTakeFirst();
  return row?.blob_key;
}

/** The placeholder of the bucket's content with this hash: null if it is not known, undefined if there is no content. */
export async function findPlaceholder(
  db: Reader,
  { bucket, sha256 }: Pick<Content, 'bucket' | 'sha256'>,
): Promise<string | null | undefined> {
  const row = await contentsOf(db, bucket, sha256).executeTakeFirst();
  return row?.placeholder;
}

/** Notes the placeholder of a content unless it is known; false then. */
export async function notePlaceholder(
  db: Writer,
  blobKey: string,
  placeholder: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contents')
    .set({ placeholder })
    .where('blob_key', '=', blobKey)
    .where('placeholder', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Records a content unless the bucket has one with this hash. Returns the key of the recorded one, which stays recorded
 * until the transaction ends.
 */
export async function recordOnce(db: Writer, content: Content): Promise<string> {
  const { bucket, sha256, blobKey } = content;
  for (;;) {
    const known = await contentsOf(db, bucket, sha256).forUpdate().executeTakeFirst();
    if (known !== undefined) {
      const isMissing = known.placeholder === null && typeof content.placeholder === 'string';
      if (isMissing) await notePlaceholder(db, known.blob_key, content.placeholder);
      return known.blob_key;
    }
    // Waits for a caller that records it at the same time; then it is found, unless it was removed again.
    if (await insertContent(db, content)) return blobKey;
  }
}

function contentsOf(db: Reader, bucket: string, sha256: string) {
  return db
    .selectFrom('contents')
    .select(['blob_key', 'placeholder'])
    .where('bucket', '=', bucket)
    .where('sha256', '=', sha256);
}

export async function isRecorded(db: Reader, blobKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('contents')
    .select('blob_key')
    .where('blob_key', '=', blobKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** Resolves with whether any content is recorded. */
export async function hasContents(db: Reader): Promise<boolean> {
  const row = await db.selectFrom('contents').select('blob_key').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Records a content, unless the bucket has one with this hash: false then. */
export async function insertContent(db: Writer, content: Content): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('contents')
    .values({
      blob_key: content.blobKey,
      bucket: content.bucket,
      sha256: content.sha256,
      size_bytes: content.sizeBytes,
      content_type: content.contentType,
      metadata: JSON.stringify(content.metadata),
      placeholder: content.placeholder ?? null,
    })
    .onConflict((conflict) => conflict.columns(['bucket', 'sha256']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Locks a content until the transaction ends: nobody else can refer to it or release it meanwhile. False if there is none. */
export async function lockContent(db: Writer, blobKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('contents')
    .select('blob_key')
    .where('blob_key', '=', blobKey)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Resolves with whether an upload, a static file, an archive or a larger picture refers to the content. */
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
          query.exists(
            query.selectFrom('exports').select('key').where('exports.blob_key', '=', blobKey),
          ),
          query.exists(
            query
              .selectFrom('media_variants')
              .select('source_key')
              .where('media_variants.blob_key', '=', blobKey),
          ),
        ])
        .as('referred'),
    ])
    .where('blob_key', '=', blobKey)
    .executeTakeFirst();
  return Boolean(row?.referred);
}

/** Deletes a content's record and notes its blob as still to be removed. */
export async function discardContent(db: Writer, blobKey: string): Promise<void> {
  const row = await db
    .deleteFrom('contents')
    .where('blob_key', '=', blobKey)
    .returning(['bucket', 'size_bytes'])
    .executeTakeFirst();
  await db.insertInto('discarded_blobs').values({ blob_key: blobKey }).execute();
  if (row !== undefined) await addStoredBytes(db, row.bucket, -row.size_bytes);
}

/**
 * Adds to the bytes that the contents of a bucket take, after a content was recorded or deleted, and returns the sum.
 * Others that do this for the bucket wait until the transaction ends.
 */
export async function addStoredBytes(db: Writer, bucket: string, bytes: number): Promise<number> {
  const added = await db
    .updateTable('stored_bytes')
    .set((each) => ({ bytes: each('bytes', '+', bytes) }))
    .where('bucket', '=', bucket)
    .returning('bytes')
    .executeTakeFirst();
  if (added !== undefined) return added.bytes;
  // What others have not committed is not counted: they wait for this row, and then add their own.
  const counted = await db
    .insertInto('stored_bytes')
    .values({ bucket, bytes: await countStoredBytes(db, bucket) })
    .onConflict((conflict) =>
      conflict
        .column('bucket')
        .doUpdateSet((each) => ({ bytes: each('stored_bytes.bytes', '+', bytes) })),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow();
  return counted.bytes;
}

export async function selectStoredBytes(db: Reader, bucket: string): Promise<number> {
  const row = await db
    .selectFrom('stored_bytes')
    .select('bytes')
    .where('bucket', '=', bucket)
    .executeTakeFirst();
  return row === undefined ? countStoredBytes(db, bucket) : row.bytes;
}

async function countStoredBytes(db: Reader, bucket: string): Promise<number> {
  const row = await db
    .selectFrom('contents')
    .select(({ fn }) => fn.sum('size_bytes').as('bytes'))
    .where('bucket', '=', bucket)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

export async function listDiscardedBlobs(db: Reader): Promise<readonly string[]> {
  const rows = await db.selectFrom('discarded_blobs').select('blob_key').execute();
  return rows.map((row) => row.blob_key);
}

export async function forgetDiscardedBlob(db: Writer, blobKey: string): Promise<void> {
  await db.deleteFrom('discarded_blobs').where('blob_key', '=', blobKey).execute();
}

export interface VariantKey extends VariantWish {
  readonly sourceKey: string;
}

export interface VariantContent {
  readonly blobKey: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly sha256: string;
}

/** A variant that is kept; `original` if the original takes its place, undefined if nothing is known. */
export async function selectVariant(
  db: Reader,
  { sourceKey, pixels, format }: VariantKey,
): Promise<VariantContent | 'original' | undefined> {
  const row = await db
    .selectFrom('media_variants')
    .leftJoin('contents', 'contents.blob_key', 'media_variants.blob_key')
    .select([
      'contents.blob_key',
      'contents.size_bytes',
      'contents.content_type',
      'contents.sha256',
    ])
    .where('source_key', '=', sourceKey)
    .where('pixels', '=', pixels)
    .where('format', '=', format)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { blob_key: blobKey, size_bytes, content_type: contentType, sha256 } = row;
  if (blobKey === null || contentType === null || sha256 === null) return 'original';
  return { blobKey, contentType, sha256, sizeBytes: Number(size_bytes) };
}

/** Records a variant in place of the one that there was. Returns the key of the replaced one's content. */
export async function replaceVariant(
  db: Writer,
  key: VariantKey,
  blobKey: string | null,
): Promise<string | undefined> {
  const { sourceKey, pixels, format } = key;
  const replaced = await db
    .deleteFrom('media_variants')
    .where('source_key', '=', sourceKey)
    .where('pixels', '=', pixels)
    .where('format', '=', format)
    .returning('blob_key')
    .executeTakeFirst();
  await db
    .insertInto('media_variants')
    .values({ source_key: sourceKey, pixels, format, blob_key: blobKey })
    .execute();
  return replaced?.blob_key ?? undefined;
}

/** Deletes what is recorded of the variants of a content. Returns the keys of their contents. */
export async function deleteVariants(db: Writer, sourceKey: string): Promise<readonly string[]> {
  const rows = await db
    .deleteFrom('media_variants')
    .where('source_key', '=', sourceKey)
    .returning('blob_key')
    .execute();
  return [...new Set(rows.flatMap(({ blob_key }) => blob_key ?? []))];
}
