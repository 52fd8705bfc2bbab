import type { FileData } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { SealedContent } from '../contents/content-writer.ts';
import { placeholderOf } from '../contents/placeholders.ts';
import { recordContent } from '../contents/record-content.ts';
import { describeUpload } from './describe-upload.ts';
import { insertUpload } from './store.ts';

/** A file that was received. */
export interface NewUpload {
  readonly bucket: string;
  readonly name: string;
  readonly spoiler: boolean;
  readonly sealed: SealedContent;
}

/**
 * Records an upload under its own id. When it resolves, the file survives power loss (File service rule 2). When it
 * rejects, nothing is left of it.
 */
export async function createUpload(
  ctx: Context,
  _actor: Actor,
  upload: NewUpload,
): Promise<FileData> {
  const { bucket, name, spoiler, sealed } = upload;
  const prepared = Promise.all([ctx.ids.next(), placeholderOf(ctx, bucket, sealed)]);
  const [id, placeholder] = await prepared.catch(async (error: unknown) => {
    await sealed.blob.discard();
    throw error;
  });
  const uploadedAtMs = ctx.clock.unixMs();
  const mostBytes = ctx.settings.files.totalSizeBytes;
  await recordContent(ctx, { bucket, sealed, placeholder, mostBytes }, ({ sql }, blobKey) =>
    insertUpload(sql, { id, bucket, blobKey, name, spoiler, uploadedAtMs }),
  );
  const { sizeBytes, facts } = sealed;
  return describeUpload({ id, name, bucket, spoiler, sizeBytes, placeholder, ...facts });
}
