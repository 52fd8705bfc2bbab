import { ValidationError, type Id, type UserChange } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { Release } from '../contents/release-content.ts';
import { beginPublicUse, isOwnPicture, leavePublicUse } from '../uploads/public-uses.ts';
import { setPicture } from '../users/change-account.ts';
import type { Account } from '../users/find-account.ts';

/** What a profile uses pictures as. */
const USES = ['avatar', 'banner'] as const;

type Use = (typeof USES)[number];

/** Throws ValidationError for a field that names no picture of the user, and RateLimitedError if that is not known now. */
export async function requireOwnPictures(
  ctx: Context,
  { user_id: userId }: User,
  change: Pick<UserChange, Use>,
): Promise<void> {
  for (const use of USES) {
    const id = change[use];
    if (typeof id === 'string' && !(await isOwnPicture(ctx, { userId, id }))) throw noPicture(use);
  }
}

/**
 * Changes the pictures of a profile, which has been locked. New ones become public, and former ones are removed unless they
 * are used otherwise. Throws ValidationError for a picture that was removed meanwhile.
 */
export async function changePictures(
  tx: EmittingTransaction,
  { user, change }: { readonly user: Account; readonly change: Pick<UserChange, Use> },
  release: Release,
): Promise<void> {
  const changing = USES.filter((use) => {
    const id = change[use];
    return id !== undefined && (id ?? '') !== user[use];
  });
  // First, so that a picture that changes its place is not removed.
  for (const use of changing) {
    const id = change[use];
    if (typeof id === 'string' && !(await beginPublicUse(tx, { userId: user.id, id })))
      throw noPicture(use);
    await setPicture(tx, user.id, { use, id: id ?? '' });
  }
  for (const use of changing) {
    const former = fileIn(user[use]);
    if (former !== undefined) await leavePublicUse(tx, former, release);
  }
}

/** Removes the pictures that the profile of an account had before it was emptied, unless they are used otherwise. */
export async function leavePictures(
  tx: EmittingTransaction,
  emptied: Pick<Account, Use>,
  release: Release,
): Promise<void> {
  for (const use of USES) {
    const former = fileIn(emptied[use]);
    if (former !== undefined) await leavePublicUse(tx, former, release);
  }
}

function noPicture(use: Use): ValidationError {
  return new ValidationError(use, 'must be the id of a picture that you have uploaded');
}

// Guarantee: only ids of files are stored.
function fileIn(text: string): Id | undefined {
  return text === '' ? undefined : (text as Id);
}
