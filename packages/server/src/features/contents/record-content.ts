import type { Context } from '../../context.ts';
import type { BlobWriter } from '../../ports/blobs/blobs.ts';
import type { Writer } from '../../ports/database/database.ts';
import { within } from '../../within.ts';
import type { SealedContent } from './content-writer.ts';
import { findContentKey, insertContent, isRecorded } from './store.ts';

/** Who is refused is told so within 3 s (SC15), however much there is to tidy up. */
const REFUSED_WITHIN_MS = 2_800;

/**
 * Records a sealed content, once a bucket however often the same bytes come, together with what refers to it; where
 * the bytes of the recorded one were lost or damaged, these take their place.
 * `refer` is called in the same transaction with the key of the kept content, which is returned too. When this
 * resolves, all of it survives power loss; when it rejects, nothing is left of it, or soon will be where the database
 * does not answer.
 */
export async function recordContent(
  ctx: Context,
  content: { readonly bucket: string; readonly sealed: SealedContent },
  refer: (writer: Writer, blobKey: string) => Promise<void>,
): Promise<string> {
  const { bucket, sealed } = content;
  const { blob } = sealed;
  const record = async (writer: Writer) => {
    const known = await findContentKey(writer, bucket, sealed.sha256);
    if (known === undefined) await insert(writer, bucket, sealed);
    const blobKey = known ?? blob.key;
    // Over the one that is there: nobody knows whether its bytes are still what they were.
    await blob.publish(blobKey);
    await refer(writer, blobKey);
    return blobKey;
  };
  const startedAtMs = ctx.clock.monotonicMs();
  let keptKey: string;
  try {
    keptKey = await ctx.database.transaction(record);
  } catch (error) {
    const leftMs = startedAtMs + REFUSED_WITHIN_MS - ctx.clock.monotonicMs();
    await within(
      tidyUp(ctx, () => discardUnlessRecorded(ctx, blob)),
      Math.max(0, leftMs),
    );
    throw error;
  }
  await tidyUp(ctx, () => (keptKey === blob.key ? blob.release() : blob.discard()));
  return keptKey;
}

// A failed commit may have happened all the same: only a blob that is certainly not recorded may go.
async function discardUnlessRecorded(ctx: Context, blob: BlobWriter): Promise<void> {
  if (!(await isRecorded(await ctx.database.reader(), blob.key))) await blob.discard();
}

// What cannot be tidied up now is settled at the next start, and changes nothing about what was recorded.
async function tidyUp(ctx: Context, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    ctx.log.error({ err: error }, 'an upload could not be tidied up');
  }
}

async function insert(writer: Writer, bucket: string, sealed: SealedContent): Promise<void> {
  const { blob, sha256, sizeBytes, facts } = sealed;
  await insertContent(writer, { blobKey: blob.key, bucket, sha256, sizeBytes, ...facts });
}
