import { ValidationError } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { BlobWriter } from '../../../ports/blobs/blobs.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { within } from '../../../lib/within.ts';
import type { SealedContent } from './content-writer.ts';
import {
  addStoredBytes,
  findContentKey,
  isRecorded,
  recordOnce,
  selectStoredBytes,
} from './store.ts';

/** A refused client gets its answer within 3 s (SC15), however much there is to clean up. */
const REFUSED_WITHIN_MS = 2_800;

interface ReceivedContent {
  readonly bucket: string;
  readonly sealed: SealedContent;
  /** A picture's ThumbHash, empty if it has none, and null if that is not known. */
  readonly placeholder?: string | null;
  /** The number of bytes that all contents of the bucket may take together; undefined if there is no limit. */
  readonly mostBytes?: number | undefined;
  /** Takes the locks that have to be held before that of the content. */
  readonly lockFirst?: (tx: Transaction) => Promise<void>;
}

/**
 * Records a sealed content, once per bucket however often the same bytes come, together with what refers to it. If the
 * bytes of the recorded one were lost or damaged, these take their place.
 * `refer` is called in the same transaction with the key of the kept content, which is returned too; it may be called
 * again. When this resolves, all of it survives power loss; when it rejects, nothing is left of it, or soon will be if
 * the database does not answer. Throws ValidationError for `file` if the bucket has no room for it.
 */
export async function recordContent(
  ctx: Context,
  content: ReceivedContent,
  refer: (tx: Transaction, blobKey: string) => Promise<void>,
): Promise<string> {
  const { bucket, sealed, placeholder = null } = content;
  const { blob, sha256, sizeBytes, facts } = sealed;
  const { reader } = ctx.database;
  const startedAtMs = ctx.clock.monotonicMs();
  let keptKey: string;
  try {
    const known = await findContentKey(reader, { bucket, sha256 });
    // Before the transaction, which waits for no server. Once it has ended, the bytes are there.
    if (known !== undefined) await blob.restore(known, (key) => isRecorded(reader, key));
    keptKey = await ctx.database.transaction(async (tx) => {
      await content.lockFirst?.(tx);
      const own = { blobKey: blob.key, bucket, sha256, sizeBytes, ...facts, placeholder };
      const blobKey = await recordOnce(tx.sql, own);
      if (blobKey !== blob.key) tx.changed('content', blobKey);
      await refer(tx, blobKey);
      if (blobKey === blob.key) await takeRoom(tx, content);
      return blobKey;
    });
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

async function takeRoom(
  { sql }: Transaction,
  { bucket, sealed: { sizeBytes }, mostBytes = Infinity }: ReceivedContent,
): Promise<void> {
  const bytes = await addStoredBytes(sql, bucket, sizeBytes);
  if (bytes > mostBytes) throw noRoom(mostBytes - (bytes - sizeBytes));
}

// A failed commit may have succeeded all the same: only a blob that is certainly not recorded may be removed.
async function discardUnlessRecorded(ctx: Context, blob: BlobWriter): Promise<void> {
  if (!(await isRecorded(ctx.database.reader, blob.key))) await blob.discard();
}

// What cannot be cleaned up now is cleaned up at the next start, and changes nothing about what was recorded.
async function tidyUp(ctx: Context, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    ctx.log.error({ err: error }, 'an upload could not be cleaned up');
  }
}

/** The error for a file that does not fit into what is left of the quota for all uploads. */
export function noRoom(leftBytes: number): ValidationError {
  const left = Math.max(0, leftBytes);
  return new ValidationError(
    'file',
    `must fit into the ${left} bytes that are left for all uploads together`,
  );
}

/** Throws ValidationError for `file` if `bytes` more do not fit into a bucket that may take `mostBytes`. */
export async function requireRoom(
  ctx: Context,
  bucket: string,
  { bytes, mostBytes }: { readonly bytes: number; readonly mostBytes: number },
): Promise<void> {
  const leftBytes = mostBytes - (await selectStoredBytes(ctx.database.reader, bucket));
  if (bytes > leftBytes) throw noRoom(leftBytes);
}
