import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { Writer } from '../../ports/database/database.ts';
import {
  discardContent,
  forgetDiscardedBlob,
  hasContents,
  isRecorded,
  isReferred,
  listDiscardedBlobs,
} from './store.ts';

type Contents = Pick<Context, 'blobs' | 'database'>;

/** Forgets the content when nothing refers to it any more. */
export type Release = (writer: Writer, blobKey: string) => Promise<void>;

/** What `work` gives, which forgets contents with the function that it is handed; their blobs are removed behind it. */
export async function releasing<Result>(
  ctx: Context,
  work: (release: Release) => Promise<Result>,
): Promise<Result> {
  const result = await work(releaseContent);
  await removeDiscardedBlobs(ctx);
  return result;
}

/**
 * Deletes in one transaction what refers to a content and, with the last such reference, the content. `deleteReference`
 * gives the content's key, or undefined where there was nothing to delete. Throws NotFoundError then.
 */
export async function removeReference(
  ctx: Context,
  deleteReference: (writer: Writer) => Promise<string | undefined>,
): Promise<void> {
  await releasing(ctx, (release) =>
    ctx.database.transaction(async (writer) => {
      const blobKey = await deleteReference(writer);
      if (blobKey === undefined) throw new NotFoundError();
      await release(writer, blobKey);
    }),
  );
}

/** Settles what a killed process left half done. To be called once at the start of an instance. */
export async function recoverContents(ctx: Contents): Promise<void> {
  await ctx.blobs.recover(async (blobKey) => isRecorded(await ctx.database.reader(), blobKey));
  await removeDiscardedBlobs(ctx);
}

/** Whether there are contents and no record of any, as where a database was lost. */
export async function areRecordsLost(ctx: Contents): Promise<boolean> {
  return !(await ctx.blobs.isEmpty()) && !(await hasContents(ctx.database));
}

async function releaseContent(writer: Writer, blobKey: string): Promise<void> {
  if (!(await isReferred(writer, blobKey))) await discardContent(writer, blobKey);
}

// A key is never used again, so that no upload of the same bytes can be hit.
async function removeDiscardedBlobs(ctx: Contents): Promise<void> {
  for (const blobKey of await listDiscardedBlobs(ctx.database)) {
    await ctx.blobs.remove(blobKey);
    await ctx.database.transaction((writer) => forgetDiscardedBlob(writer, blobKey));
  }
}
