import type { Context } from '../../context.ts';
import type { Writer } from '../../ports/database/database.ts';
import {
  discardContent,
  forgetDiscardedBlob,
  isRecorded,
  isReferred,
  listDiscardedBlobs,
} from './store.ts';

/** Forgets the content when nothing refers to it any more; its blob goes with the next {@link removeDiscardedBlobs}. */
export async function releaseContent(writer: Writer, blobKey: string): Promise<void> {
  if (!(await isReferred(writer, blobKey))) await discardContent(writer, blobKey);
}

/** Removes the blobs of forgotten contents. A key is never used again, so that no upload of the same bytes can be hit. */
export async function removeDiscardedBlobs(ctx: Context): Promise<void> {
  for (const blobKey of await listDiscardedBlobs(ctx.database.reader)) {
    await ctx.blobs.remove(blobKey);
    await ctx.database.transaction((writer) => forgetDiscardedBlob(writer, blobKey));
  }
}

/** Settles what a killed process left half done. To be called once at the start of an instance. */
export async function recoverContents(ctx: Context): Promise<void> {
  await ctx.database.transaction((writer) =>
    ctx.blobs.recover((blobKey) => isRecorded(writer, blobKey)),
  );
  await removeDiscardedBlobs(ctx);
}
