import type { Context } from '../../context.ts';
import {
  PICTURE_TYPES,
  PicturesUnavailableError,
  type PictureSource,
} from '../../ports/pictures/pictures.ts';
import type { SealedContent } from './content-writer.ts';
import type { ContentFacts } from './inspect-content.ts';
import { findPlaceholder, notePlaceholder } from './store.ts';

/** A content that has no placeholder. */
const NONE = '';

/**
 * The placeholder of a content that is being recorded, or of the same content if there is one: empty if it has none, and
 * null if that is not known, because too many pictures are waiting.
 */
export async function placeholderOf(
  ctx: Context,
  bucket: string,
  { sha256, facts, blob }: SealedContent,
): Promise<string | null> {
  if (!isPicture(facts)) return NONE;
  const known = await findPlaceholder(ctx.database.reader, { bucket, sha256 });
  return known ?? makePlaceholder(ctx, blob.path);
}

/** Makes and records the placeholder of an older content. Returns it, or null if it is still not known. */
export async function completePlaceholder(
  ctx: Context,
  blobKey: string,
  source: PictureSource,
): Promise<string | null> {
  const placeholder = await makePlaceholder(ctx, source);
  if (placeholder === null) return null;
  await ctx.database.transaction(async (tx) => {
    if (await notePlaceholder(tx.sql, blobKey, placeholder)) tx.changed('content', blobKey);
  });
  return placeholder;
}

/** Whether a content is a picture from which others can be made. */
export function isPicture({ metadata, contentType }: ContentFacts): boolean {
  return metadata.type === 'image' && PICTURE_TYPES.has(contentType);
}

async function makePlaceholder(ctx: Context, source: PictureSource): Promise<string | null> {
  try {
    return (await ctx.pictures.placeholder(source)) ?? NONE;
  } catch (error) {
    if (error instanceof PicturesUnavailableError) return null;
    throw error;
  }
}
