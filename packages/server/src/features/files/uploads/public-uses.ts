import { ATTACHMENTS_BUCKET, RateLimitedError, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { Placeholders, type Release, isPicture } from '../../platform/contents/contents.ts';
import { addHiddenUses, endPublicUses } from './attached-store.ts';
import { dropUpload } from './drop-upload.ts';
import { addPublicUse, endPublicUse, selectUpload } from './store.ts';

/** The time in milliseconds to wait if too many pictures are being decoded. */
const BUSY_MS = 5_000;

export interface OwnUpload {
  readonly userId: Id;
  readonly id: Id;
}

/**
 * Resolves with whether an upload is the user's own, and a picture that can be decoded. Throws RateLimitedError if that
 * cannot be found out now.
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

/** Ends a public use of an upload, which is removed if nothing else uses it. */
export async function leavePublicUse(tx: Transaction, id: Id, release: Release): Promise<void> {
  const blobKey = await endPublicUse(tx.sql, id);
  if (blobKey === undefined) return;
  tx.changed('content', blobKey);
  await dropUpload(tx, id, release);
}

/** Ends all public uses of an upload, which is removed if nothing else uses it. */
export async function leaveAllPublicUses(tx: Transaction, id: Id, release: Release): Promise<void> {
  const blobKey = await endPublicUses(tx.sql, id);
  if (blobKey === undefined) return;
  tx.changed('content', blobKey);
  await dropUpload(tx, id, release);
}

/** Hides a public use of an upload, which may be shown again. */
export async function hidePublicUse(tx: Transaction, id: Id): Promise<void> {
  const blobKey = await addHiddenUses(tx.sql, id, 1);
  if (blobKey !== undefined) tx.changed('content', blobKey);
}

/** Shows a public use of an upload that was hidden. */
export async function showPublicUse(tx: Transaction, id: Id): Promise<void> {
  const blobKey = await addHiddenUses(tx.sql, id, -1);
  if (blobKey !== undefined) tx.changed('content', blobKey);
}
