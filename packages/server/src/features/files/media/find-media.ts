import { ATTACHMENTS_BUCKET, ValidationError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { accessTo, findUpload, type ServedUpload } from '../uploads/uploads.ts';
import { acceptedFormat } from './accepted-format.ts';
import type { MediaContext, Variant, VariantRequest } from './variants.ts';

/** The address of a file, and which version of it is wanted. */
export interface MediaInput {
  readonly id: string;
  /** The key that the request gave. */
  readonly key?: string | undefined;
  /** The most pixels of a picture's longer side; without it, the file as it was stored. */
  readonly size?: number | undefined;
  readonly accept?: string | undefined;
}

/** A file to be shown in a page. */
export interface Media {
  readonly blobKey: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly sha256: string;
  readonly name: string;
  readonly disposition: 'inline';
  readonly isImmutable: boolean;
  readonly secret: string | undefined;
  readonly isRevocable: boolean;
  readonly goesWith: readonly string[];
  readonly varyOn?: string;
  /** The content that a variant was made from. */
  readonly sourceKey?: string;
  /** Makes a variant again whose bytes are lost. */
  readonly makeAgain?: () => Promise<Media>;
}

/**
 * The file with this id, or a smaller version of a picture. Throws NotFoundError, and ValidationError if the file is no
 * picture and has no sizes.
 */
export async function findMedia(
  ctx: MediaContext,
  actor: Actor,
  { id, key, size, accept }: MediaInput,
): Promise<Media> {
  const upload = await findUpload(ctx, actor, { bucket: ATTACHMENTS_BUCKET, id, key });
  if (size === undefined) return originalOf(upload, true);
  if (upload.metadata.type !== 'image') {
    throw new ValidationError('size', 'must be left out, because the file is not a picture');
  }
  const request = { upload, pixels: size, format: acceptedFormat(accept) };
  return servedAs(ctx, request, await ctx.variants.of(request));
}

function originalOf(upload: ServedUpload, isImmutable: boolean): Media {
  const { blobKey, sizeBytes, contentType, sha256, name } = upload;
  const content = { blobKey, sizeBytes, contentType, sha256, name, ...accessTo(upload) };
  return { ...content, disposition: 'inline', isImmutable };
}

/** The version of an upload that is served. */
type ServedRequest = VariantRequest & { readonly upload: ServedUpload };

function servedAs(ctx: MediaContext, request: ServedRequest, variant: Variant): Media {
  const { upload } = request;
  if (variant.kind === 'original') {
    return { ...originalOf(upload, variant.isLasting), varyOn: 'Accept' };
  }
  return {
    ...originalOf(upload, true),
    ...variant.content,
    name: nameOf(upload.name, variant.content.contentType),
    varyOn: 'Accept',
    sourceKey: upload.blobKey,
    makeAgain: async () => servedAs(ctx, request, await ctx.variants.make(request)),
  };
}

function nameOf(name: string, contentType: string): string {
  return `${name.replace(/\.\w{1,5}$/, '')}.${contentType.replace(/^image\//, '')}`;
}
