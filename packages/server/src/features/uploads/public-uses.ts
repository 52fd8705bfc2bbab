import { ATTACHMENTS_BUCKET, RateLimitedError, type Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../ports/database/database.ts';
import { isPicture, Placeholders } from '../contents/placeholders.ts';
import type { Release } from '../contents/release-content.ts';
import { addPublicUse, deleteUpload, endPublicUse, selectUpload } from './store.ts';

/** How long to wait if too many pictures are being decoded, in milliseconds. */
const BUSY_MS = 5_000;

/** An upload of a user. */
export interface OwnUpload {
  readonly userId: Id;
  readonly id: Id;
}

/**
 * Whether an upload is the user's own, and a picture that can be decoded. Throws RateLimitedError if that cannot be found
 * out now.
 */
export async function isOwnPicture(ctx: Context, { userId, id }: OwnUpload): Promise<boolean> {
  const upload = await selectUpload(ctx, ATTACHMENTS_BUCKET, id);
  if (upload === undefined || upload.userId !== userId || !isPicture(upload)) return false;
  // Every picture that can be decoded has one.
  const placeholder = upload.placeholder ?? (await new Placeholders(ctx).complete(upload));
  if (placeholder === null) throw new RateLimitedError(BUSY_MS);
  return placeholder !== '';
}

/** Makes an upload of a user public for as long as it is used. False if the user has no such upload. */
export async function beginPublicUse(tx: Transaction, upload: OwnUpload): Promise<boolean> {
  const blobKey = await addPublicUse(tx.sql, upload);
  if (blobKey !== undefined) tx.changed('content', blobKey);
  return blobKey !== undefined;
}

/** Ends a use of an upload, which is removed after the last one. */
export async function leavePublicUse(tx: Transaction, id: Id, release: Release): Promise<void> {
  const left = await endPublicUse(tx.sql, id);
  if (left === undefined) return;
  tx.changed('content', left.blobKey);
  if (left.uses > 0) return;
  const blobKey = await deleteUpload(tx.sql, id);
  if (blobKey !== undefined) await release(tx, blobKey);
}
