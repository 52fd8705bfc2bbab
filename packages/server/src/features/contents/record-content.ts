import type { Context } from '../../context.ts';
import type { Writer } from '../../ports/database/database.ts';
import type { SealedContent } from './content-writer.ts';
import { findContentKey, insertContent, isRecorded } from './store.ts';

/**
 * Records a sealed content, once a bucket however often the same bytes come, together with what refers to it:
 * `refer` is called in the same transaction with the key of the kept content. When this resolves, all of it
 * survives power loss; when it rejects, nothing is left of it.
 */
export async function recordContent(
  ctx: Context,
  content: { readonly bucket: string; readonly sealed: SealedContent },
  refer: (writer: Writer, blobKey: string) => Promise<void>,
): Promise<void> {
  const { bucket, sealed } = content;
  const { blob } = sealed;
  try {
    const keptKey = await ctx.database.transaction(async (writer) => {
      const blobKey =
        (await findContentKey(writer, bucket, sealed.sha256)) ??
        (await keep(writer, bucket, sealed));
      await refer(writer, blobKey);
      return blobKey;
    });
    await (keptKey === blob.key ? blob.release() : blob.discard());
  } catch (error) {
    // A failed commit may have happened all the same: only a blob that is certainly not recorded may go.
    if (!(await isRecorded(ctx.database.reader, blob.key))) await blob.discard();
    throw error;
  }
}

async function keep(writer: Writer, bucket: string, sealed: SealedContent): Promise<string> {
  const { blob, sha256, sizeBytes, facts } = sealed;
  await insertContent(writer, { blobKey: blob.key, bucket, sha256, sizeBytes, ...facts });
  await blob.publish();
  return blob.key;
}
