import { NotFoundError } from '@hearth/protocol';
import { errorMessage } from '../../../lib/error-code.ts';
import { SharedWork } from '../../../lib/shared-work.ts';
import {
  PicturesUnavailableError,
  type PictureSource,
  type VariantFormat,
} from '../../../ports/pictures/pictures.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import {
  isPicture,
  readPicture,
  selectVariant,
  ContentWriter,
  lockContent,
  recordContent,
  releasing,
  replaceVariant,
  type PlaceholdersContext,
  type VariantContent,
  type VariantKey,
} from '../../platform/contents/contents.ts';
import type { StoredUpload } from '../uploads/uploads.ts';

/** The bucket of variants. No address leads to it, and uploads to it are refused. */
export const VARIANTS_BUCKET = 'variants';

/** The content that is served: a variant, or the original in its place, for now or for ever. */
export type Variant =
  | { readonly kind: 'variant'; readonly content: VariantContent }
  | { readonly kind: 'original'; readonly isLasting: boolean };

/** A picture of an upload, in this size and format. */
export interface VariantRequest {
  readonly upload: StoredUpload;
  /** The most pixels of the longer side. */
  readonly pixels: number;
  readonly format: VariantFormat;
}

/** The formats by which a variant may be replaced, because its readers can show them too. */
const SHOWN: Readonly<Record<VariantFormat, readonly string[]>> = {
  plain: ['image/jpeg', 'image/png', 'image/apng', 'image/gif'],
  webp: ['image/jpeg', 'image/png', 'image/apng', 'image/gif', 'image/webp'],
  avif: ['image/jpeg', 'image/png', 'image/apng', 'image/gif', 'image/webp', 'image/avif'],
};

const ORIGINAL: Variant = { kind: 'original', isLasting: true };
const ORIGINAL_FOR_NOW: Variant = { kind: 'original', isLasting: false };

/**
 * The variants of pictures. Each is made once, when it is first requested, and kept: requests at the same time share the
 * work, within a process. Processes that make the same variant at the same time keep one of them.
 */
export class Variants {
  readonly #ctx: PlaceholdersContext;
  readonly #making = new SharedWork<Variant>();

  constructor(ctx: PlaceholdersContext) {
    this.#ctx = ctx;
  }

  /** The variant, made if it is not kept. Throws NotFoundError if the upload is removed meanwhile. */
  async of(request: VariantRequest): Promise<Variant> {
    if (!isPicture(request.upload)) return ORIGINAL;
    const kept = await selectVariant(this.#ctx.database.reader, keyOf(request));
    if (kept === undefined) return this.make(request);
    return kept === 'original' ? ORIGINAL : { kind: 'variant', content: kept };
  }

  /** The variant, made again even if it is recorded. Throws the same. */
  make(request: VariantRequest): Promise<Variant> {
    const name = Object.values(keyOf(request)).join(' ');
    return this.#making.of(name, () => this.#make(request));
  }

  async #make(request: VariantRequest): Promise<Variant> {
    const ctx = this.#ctx;
    const { upload, format } = request;
    const key = keyOf(request);
    const source = await readPicture(ctx, upload);
    if (source === undefined) return ORIGINAL_FOR_NOW;
    try {
      const bytes = await ctx.pictures.variant(source, key);
      const isLarge =
        bytes !== undefined &&
        bytes.byteLength >= upload.sizeBytes &&
        SHOWN[format].includes(upload.contentType);
      const content = await recordVariant(ctx, key, isLarge ? undefined : bytes);
      this.#complete(upload, source);
      return content === undefined ? ORIGINAL : { kind: 'variant', content };
    } catch (error) {
      if (error instanceof PicturesUnavailableError) return ORIGINAL_FOR_NOW;
      throw error;
    }
  }

  /** An upload from before there were placeholders gets one. */
  #complete(upload: StoredUpload, source: PictureSource): void {
    if (upload.placeholder !== null) return;
    this.#ctx.placeholders.complete(upload, source).catch((error: unknown) => {
      this.#ctx.log.warn({ reason: errorMessage(error) }, 'a placeholder could not be recorded');
    });
  }
}

function keyOf({ upload, pixels, format }: VariantRequest): VariantKey {
  const { blobKey: sourceKey, metadata } = upload;
  // A picture is never enlarged, so all sizes beyond its own are one.
  const own = metadata.type === 'image' ? Math.max(metadata.width, metadata.height) : pixels;
  return { sourceKey, pixels: Math.min(pixels, own), format };
}

/**
 * Records a variant and stores its bytes; without bytes, records that the original takes its place. Throws NotFoundError
 * if the original was removed meanwhile.
 */
export async function recordVariant(
  ctx: Context,
  key: VariantKey,
  bytes: Uint8Array | undefined,
): Promise<VariantContent | undefined> {
  const lockFirst = async (tx: Transaction) => {
    if (!(await lockContent(tx.sql, key.sourceKey))) throw new NotFoundError();
  };
  return releasing(ctx, async (release) => {
    const refer = async (tx: Transaction, blobKey: string | null) => {
      const replaced = await replaceVariant(tx.sql, key, blobKey);
      if (replaced !== undefined && replaced !== blobKey) await release(tx, replaced);
    };
    if (bytes === undefined) {
      await ctx.database.transaction(async (tx) => {
        await lockFirst(tx);
        await refer(tx, null);
      });
      return undefined;
    }
    const sealed = await ContentWriter.sealed(ctx, (writer) => writer.write(bytes));
    const { sha256, sizeBytes, facts } = sealed;
    const content = { bucket: VARIANTS_BUCKET, sealed, placeholder: '', lockFirst };
    const blobKey = await recordContent(ctx, content, refer);
    return { blobKey, sha256, sizeBytes, contentType: facts.contentType };
  });
}

/** The context of the verbs of media: the general one, and the placeholders and variants that are being made. */
export interface MediaContext extends PlaceholdersContext {
  readonly variants: Variants;
}
