import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../ports/database/database.ts';
import {
  deleteVariants,
  discardContent,
  forgetDiscardedBlob,
  hasContents,
  isRecorded,
  isReferred,
  listDiscardedBlobs,
  lockContent,
} from './store.ts';

type Contents = Pick<Context, 'blobs' | 'database'>;

/** Removes the content's record when nothing refers to it any more. */
export type Release = (tx: Transaction, blobKey: string) => Promise<void>;

/**
 * Returns what `work` returns. `work` removes records with the function that it receives; their blobs are removed
 * afterwards.
 */
export async function releasing<Result>(
  ctx: Context,
  work: (release: Release) => Promise<Result>,
): Promise<Result> {
  const result = await work(releaseContent);
  await removeDiscardedBlobs(ctx);
  return result;
}

/**
 * Deletes in one transaction what refers to a content and, with the last such reference, the content.
 * `deleteReference` returns the content's key, or undefined if there was nothing to delete. Throws NotFoundError then.
 */
export async function removeReference(
  ctx: Context,
  deleteReference: (tx: Transaction) => Promise<string | undefined>,
): Promise<void> {
  await releasing(ctx, (release) =>
    ctx.database.transaction(async (tx) => {
      const blobKey = await deleteReference(tx);
      if (blobKey === undefined) throw new NotFoundError();
      await release(tx, blobKey);
    }),
  );
}

/** Cleans up what a killed process left half done. To be called once at the start of an instance. */
export async function recoverContents(ctx: Contents): Promise<void> {
  await ctx.blobs.recover(async (blobKey) => isRecorded(ctx.database.reader, blobKey));
  await removeDiscardedBlobs(ctx);
}

/** Whether there are contents and no record of any, as when a database was lost. */
export async function areRecordsLost(ctx: Contents): Promise<boolean> {
  return !(await ctx.blobs.isEmpty()) && !(await hasContents(ctx.database.reader));
}

async function releaseContent(tx: Transaction, blobKey: string): Promise<void> {
  const { sql } = tx;
  tx.changed('content', blobKey);
  // First: this waits for callers that are about to refer to it, and the next statement sees what they did.
  await lockContent(sql, blobKey);
  if (await isReferred(sql, blobKey)) return;
  const variants = await deleteVariants(sql, blobKey);
  await discardContent(sql, blobKey);
  for (const variant of variants) await releaseContent(tx, variant);
}

// A key is never used again, so no upload of the same bytes can be hit.
async function removeDiscardedBlobs(ctx: Contents): Promise<void> {
  for (const blobKey of await listDiscardedBlobs(ctx.database.reader)) {
    await ctx.blobs.remove(blobKey);
    await ctx.database.transaction(({ sql }) => forgetDiscardedBlob(sql, blobKey));
  }
}
