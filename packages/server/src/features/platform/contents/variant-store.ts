import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { VariantWish } from '../../../ports/pictures/pictures.ts';

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
