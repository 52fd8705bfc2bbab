import type { ContentFacts } from '@hearth/media';
import type { Context } from '../../../context.ts';
import { SharedWork } from '../../../lib/shared-work.ts';
import {
  PICTURE_TYPES,
  PicturesUnavailableError,
  type PictureSource,
} from '../../../ports/pictures/pictures.ts';
import { isFileWhole } from '../../../runtime/file-body.ts';
import type { SealedContent } from './content-writer.ts';
import { findPlaceholder, notePlaceholder } from './store.ts';

/** Bytes of a picture on another machine that are read at most, because they have to be in memory. */
const MOST_REMOTE_BYTES = 32 * 1024 * 1024;

/** A stored picture, which is read later if it is on another machine. Undefined if it is missing, damaged, or too large to be fetched. */
export async function readPicture(
  { blobs }: Context,
  { blobKey, sizeBytes }: { readonly blobKey: string; readonly sizeBytes: number },
): Promise<PictureSource | undefined> {
  const place = blobs.locate(blobKey);
  if (place.at === 'disk') return isFileWhole(place.path, sizeBytes) ? place.path : undefined;
  if (sizeBytes > MOST_REMOTE_BYTES || (await place.size()) !== sizeBytes) return undefined;
  // Not before its turn, because many may be waiting.
  return () => new Response(place.read({ start: 0, end: sizeBytes })).bytes();
}

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

/** The context of verbs that complete placeholders: the general one, and those that are being made. */
export interface PlaceholdersContext extends Context {
  readonly placeholders: Placeholders;
}

interface StoredPicture {
  readonly blobKey: string;
  readonly sizeBytes: number;
}

/** Makes placeholders that stored pictures lack. Requests at the same time share the work, within a process. */
export class Placeholders {
  readonly #ctx: Context;
  readonly #making = new SharedWork<string | null>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /**
   * Makes and records a placeholder. Resolves with it, or with null if it is still not known. `source` is the picture, if
   * it has been read already.
   */
  complete(picture: StoredPicture, source?: PictureSource): Promise<string | null> {
    return this.#making.of(picture.blobKey, () => this.#complete(picture, source));
  }

  async #complete(picture: StoredPicture, given?: PictureSource): Promise<string | null> {
    const { blobKey } = picture;
    const source = given ?? (await readPicture(this.#ctx, picture));
    if (source === undefined) return null;
    const placeholder = await makePlaceholder(this.#ctx, source);
    if (placeholder === null) return null;
    await this.#ctx.database.transaction(async (tx) => {
      if (await notePlaceholder(tx.sql, blobKey, placeholder)) tx.changed('content', blobKey);
    });
    return placeholder;
  }
}

/** Returns whether a content is a picture from which others can be made. */
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
