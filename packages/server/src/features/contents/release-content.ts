import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../ports/database/database.ts';
import {
  discardContent,
  forgetDiscardedBlob,
  hasContents,
  isRecorded,
  isReferred,
  listDiscardedBlobs,
  lockContent,
} from './store.ts';

type Contents = Pick<Context, 'blobs' | 'database'>;

/** Forgets the content when nothing refers to it any more. */
export type Release = (tx: Transaction, blobKey: string) => Promise<void>;

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

/** Settles what a killed process left half done. To be called once at the start of an instance. */
export async function recoverContents(ctx: Contents): Promise<void> {
  await ctx.blobs.recover(async (blobKey) => isRecorded(ctx.database.reader, blobKey));
  await removeDiscardedBlobs(ctx);
}

/** Whether there are contents and no record of any, as where a database was lost. */
export async function areRecordsLost(ctx: Contents): Promise<boolean> {
  return !(await ctx.blobs.isEmpty()) && !(await hasContents(ctx.database.reader));
}

async function releaseContent(tx: Transaction, blobKey: string): Promise<void> {
  const { sql } = tx;
  tx.changed('content', blobKey);
  // First: whoever is about to refer to it is waited for, and seen by the next statement.
  await lockContent(sql, blobKey);
  if (!(await isReferred(sql, blobKey))) await discardContent(sql, blobKey);
}

// A key is never used again, so that no upload of the same bytes can be hit.
async function removeDiscardedBlobs(ctx: Contents): Promise<void> {
  for (const blobKey of await listDiscardedBlobs(ctx.database.reader)) {
    await ctx.blobs.remove(blobKey);
    await ctx.database.transaction(({ sql }) => forgetDiscardedBlob(sql, blobKey));
  }
}
