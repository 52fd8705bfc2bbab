import { ValidationError, type Id, type UserChange } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { Release } from '../../platform/contents/contents.ts';
import { updatePicture, type UsersTable } from '../users/users.ts';

interface OwnUpload {
  readonly userId: Id;
  readonly id: Id;
}

/** Uploads that are public as long as something shows them, by the feature that keeps them. */
export interface PublicFiles {
  /** Checks whether an upload is the user's own, and a picture. Throws RateLimitedError if that is not known now. */
  isOwnPicture(ctx: Context, upload: OwnUpload): Promise<boolean>;
  /** Makes an upload of a user public for as long as it is shown. False if the user has no such upload. */
  beginPublicUse(tx: Transaction, upload: OwnUpload): Promise<boolean>;
  /** Ends that, and removes the upload if nothing else uses it. */
  leavePublicUse(tx: Transaction, id: Id, release: Release): Promise<void>;
}

export interface HasPublicFiles {
  readonly publicFiles: PublicFiles;
}

const USES = ['avatar', 'banner'] as const;

type Use = (typeof USES)[number];

/** Throws ValidationError for a field that names no picture of the user, and RateLimitedError if that is not known now. */
export async function requireOwnPictures(
  ctx: Context & HasPublicFiles,
  { user_id: userId }: Account,
  change: Pick<UserChange, Use>,
): Promise<void> {
  for (const use of USES) {
    const id = change[use];
    if (typeof id === 'string' && !(await ctx.publicFiles.isOwnPicture(ctx, { userId, id })))
      throw noPicture(use);
  }
}

interface PictureChange {
  readonly user: UsersTable;
  readonly change: Pick<UserChange, Use>;
  readonly release: Release;
}

/**
 * Changes the pictures of a profile, which has been locked. New ones become public, and former ones are removed unless they
 * are used otherwise. Throws ValidationError for a picture that was removed meanwhile.
 */
export async function changePictures(
  tx: Transaction,
  { publicFiles }: HasPublicFiles,
  { user, change, release }: PictureChange,
): Promise<void> {
  const changing = USES.filter((use) => {
    const id = change[use];
    return id !== undefined && (id ?? '') !== user[use];
  });
  // First, so that a picture that changes its place is not removed.
  for (const use of changing) {
    const id = change[use];
    if (typeof id === 'string' && !(await publicFiles.beginPublicUse(tx, { userId: user.id, id })))
      throw noPicture(use);
    await updatePicture(tx.sql, user.id, { use, id: id ?? '' });
  }
  for (const use of changing) {
    const former = user[use];
    if (former !== '') await publicFiles.leavePublicUse(tx, former, release);
  }
}

/** Removes the pictures that the profile of an account had before it was emptied, unless they are used otherwise. */
export async function leavePictures(
  tx: Transaction,
  { publicFiles }: HasPublicFiles,
  { emptied, release }: { readonly emptied: Pick<UsersTable, Use>; readonly release: Release },
): Promise<void> {
  for (const use of USES) {
    const former = emptied[use];
    if (former !== '') await publicFiles.leavePublicUse(tx, former, release);
  }
}

function noPicture(use: Use): ValidationError {
  return new ValidationError(use, 'must be the id of a picture that you have uploaded');
}
