import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { NoFilesError } from '../../../ports/blobs/blobs.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { addJob, type JobKind } from '../jobs/jobs.ts';
import {
  discardContent,
  forgetDiscardedBlob,
  hasContents,
  isRecorded,
  isReferred,
  listDiscardedBlobs,
  lockContent,
  deleteVariants,
} from './store.ts';

type Contents = Pick<Context, 'blobs' | 'database'>;
type Releasing = Pick<Context, 'blobs' | 'database' | 'clock' | 'log'>;

/** The kind of jobs that remove what a process released that serves no files. */
const REMOVE_CONTENTS: Pick<JobKind<object>, 'name' | 'parse'> = {
  name: 'remove-contents',
  parse: () => ({}),
};

/** Removes the content's record when nothing refers to it any more. */
export type Release = (tx: Transaction, blobKey: string) => Promise<void>;

/** Removes files whose records were removed by a process that serves no files. */
export function removeContents(ctx: Contents): JobKind<object> {
  return {
    ...REMOVE_CONTENTS,
    mostAttempts: 20,
    run: async () => removeBlobs(ctx, await listDiscardedBlobs(ctx.database.reader)),
  };
}

/**
 * Returns what `work` returns. `work` removes records with the function that it receives; their blobs are removed
 * afterwards, or by the next start if that fails: what `work` has committed holds all the same.
 */
export async function releasing<Result>(
  ctx: Releasing,
  work: (release: Release) => Promise<Result>,
): Promise<Result> {
  const released = new Set<string>();
  const result = await work((tx, blobKey) => releaseContent(tx, blobKey, released));
  if (released.size > 0) await tryRemovingDiscarded(ctx);
  return result;
}

/**
 * Deletes in one transaction what refers to a content and, with the last such reference, the content.
 * `deleteReference` returns the content's key, or undefined if there was nothing to delete. Throws NotFoundError then.
 * Rejects if the content's own blob cannot be removed, so that the owner knows that its bytes are still there.
 */
export async function removeReference(
  ctx: Context,
  deleteReference: (tx: EmittingTransaction) => Promise<string | undefined>,
): Promise<void> {
  const released = new Set<string>();
  await ctx.database.transaction(async (tx) => {
    const blobKey = await deleteReference(tx);
    if (blobKey === undefined) throw new NotFoundError();
    await releaseContent(tx, blobKey, released);
  });
  if (released.size === 0) return;
  const discarded = await listDiscardedBlobs(ctx.database.reader);
  try {
    await removeBlobs(
      ctx,
      // Not all that were released: the transaction may have been repeated, and ended differently.
      discarded.filter((blobKey) => released.has(blobKey)),
    );
  } catch (error) {
    if (!NoFilesError.is(error)) throw error;
    return await leaveToOthers(ctx);
  }
  await tryRemovingDiscarded(ctx);
}

/** Cleans up what a killed process left half done. To be called once at the start of an instance. */
export async function recoverContents(ctx: Contents): Promise<void> {
  await ctx.blobs.recover(async (blobKey) => isRecorded(ctx.database.reader, blobKey));
  await removeBlobs(ctx, await listDiscardedBlobs(ctx.database.reader));
}

/** Resolves with whether there are contents and no record of any, as when a database was lost. */
export async function areRecordsLost(ctx: Contents): Promise<boolean> {
  return !(await ctx.blobs.isEmpty()) && !(await hasContents(ctx.database.reader));
}

/** Adds the keys of the contents whose records it removes to `released`. */
async function releaseContent(
  tx: Transaction,
  blobKey: string,
  released: Set<string>,
): Promise<void> {
  const { sql } = tx;
  tx.changed('content', blobKey);
  // First: this waits for callers that are about to refer to it, and the next statement sees what they did.
  await lockContent(sql, blobKey);
  if (await isReferred(sql, blobKey)) return;
  const variants = await deleteVariants(sql, blobKey);
  await discardContent(sql, blobKey);
  released.add(blobKey);
  for (const variant of variants) await releaseContent(tx, variant, released);
}

// Also those that could not be removed earlier.
async function tryRemovingDiscarded(ctx: Releasing): Promise<void> {
  try {
    await removeBlobs(ctx, await listDiscardedBlobs(ctx.database.reader));
  } catch (error) {
    if (NoFilesError.is(error)) return await leaveToOthers(ctx);
    ctx.log.error({ err: error }, 'a removed file is still stored: it could not be deleted');
  }
}

/** Lets a process with the file service remove what is discarded. */
async function leaveToOthers({ database, clock }: Releasing): Promise<void> {
  const job = { payload: {}, nowMs: clock.unixMs() };
  await database.transaction((tx) => addJob(tx, REMOVE_CONTENTS, job));
}

// A key is never used again, so no upload of the same bytes can be hit.
async function removeBlobs(ctx: Contents, blobKeys: readonly string[]): Promise<void> {
  for (const blobKey of blobKeys) {
    await ctx.blobs.remove(blobKey);
    await ctx.database.transaction(({ sql }) => forgetDiscardedBlob(sql, blobKey));
  }
}
