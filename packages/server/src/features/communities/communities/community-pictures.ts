import { compareIds, ValidationError, type CommunityChange, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { Release } from '../../platform/contents/contents.ts';
import {
  ShownMeanwhile,
  beginPublicUse,
  hidePublicUse,
  isOwnPicture,
  leavePublicUse,
  showPublicUse,
} from '../../files/uploads/uploads.ts';
import {
  announceChanges,
  lockCommunityRow,
  readCommunity,
  selectIdsWithPicture,
  updateCommunity,
  type StoredCommunity,
} from '../structure/structure.ts';

const USES = ['icon', 'banner'] as const;

type Pictures = Pick<CommunityChange, (typeof USES)[number]>;

/** Throws ValidationError for a field that names no picture of the caller, and RateLimitedError if that is not known now. */
export async function requirePictures(
  ctx: Context,
  { user_id: userId }: Account,
  change: Pictures,
): Promise<void> {
  for (const use of USES) {
    const id = change[use];
    if (typeof id === 'string' && !(await isOwnPicture(ctx, { userId, id }))) throw noPicture(use);
  }
}

interface PictureChange {
  readonly userId: Id;
  readonly before: StoredCommunity;
  readonly change: Pictures;
}

/**
 * Makes the new pictures of a community public, and removes the former ones unless they are used otherwise. Throws
 * ValidationError for a picture that was removed meanwhile.
 */
export async function exchangePictures(
  tx: Transaction,
  { userId, before, change }: PictureChange,
  release: Release,
): Promise<void> {
  const changing = USES.filter((use) => {
    const id = change[use];
    return id !== undefined && (id ?? '') !== before[use];
  });
  // First, so that a picture that changes its place is not removed.
  for (const use of changing) {
    const id = change[use];
    if (typeof id === 'string' && !(await beginPublicUse(tx, { userId, id }))) throw noPicture(use);
  }
  for (const use of changing) {
    const former = before[use];
    if (former !== '') await leavePublicUse(tx, former, release);
  }
}

/** Lets nobody see the pictures of a community that is deleted. */
export async function hidePictures(tx: Transaction, stored: StoredCommunity): Promise<void> {
  for (const id of picturesOf(stored)) await hidePublicUse(tx, id);
}

/** Shows the pictures of a community that is restored. */
export async function showPictures(tx: Transaction, stored: StoredCommunity): Promise<void> {
  for (const id of picturesOf(stored)) await showPublicUse(tx, id);
}

/** Takes the pictures out of a deleted community that is about to be removed. */
export async function releasePictures(
  tx: Transaction,
  stored: StoredCommunity,
  release: Release,
): Promise<void> {
  for (const id of picturesOf(stored)) {
    await showPublicUse(tx, id);
    await leavePublicUse(tx, id, release);
  }
}

function picturesOf(stored: StoredCommunity): readonly Id[] {
  return USES.flatMap((use) => stored[use] || []).toSorted(compareIds);
}

/**
 * Removes an upload with `remove`, and takes it out of the communities that show it, in a transaction that `whileNotShown`
 * runs. Throws ShownMeanwhile.
 */
export async function withoutPicture<Result>(
  tx: EmittingTransaction,
  upload: Id,
  remove: () => Promise<Result>,
): Promise<Result> {
  const showing = new Set(await selectIdsWithPicture(tx.sql, upload));
  for (const id of [...showing].toSorted(compareIds)) await lockCommunityRow(tx.sql, id);
  const removed = await remove();
  const shown = await selectIdsWithPicture(tx.sql, upload);
  if (!shown.every((id) => showing.has(id))) throw new ShownMeanwhile();
  for (const id of shown) await clearIn(tx, id, upload);
  return removed;
}

async function clearIn(tx: EmittingTransaction, id: Id, upload: Id): Promise<void> {
  const before = await readCommunity(tx.sql, id);
  if (before === undefined) return;
  const { stored } = before;
  const [icon, banner] = USES.map((use) => (stored[use] === upload ? '' : stored[use]));
  await updateCommunity(tx.sql, id, { ...stored, icon: icon ?? '', banner: banner ?? '' });
  await announceChanges(tx, before);
}

function noPicture(use: (typeof USES)[number]): ValidationError {
  return new ValidationError(use, 'must be the id of a picture that you have uploaded');
}
