import type { Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { requireNoCommunities } from '../communities/require-no-communities.ts';
import { refuseAwaited } from '../community-invites/waiting-invites.ts';
import type { Release } from '../contents/release-content.ts';
import { forgetMailCodes } from '../mail-codes/forget-codes.ts';
import { forgetRequest } from '../registration/requests.ts';
import { forgetFactor } from '../second-factor/forget-factor.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import { emptyAccount, eraseContent } from '../users/empty-account.ts';
import { leavePictures } from './profile-pictures.ts';
import { addErasures } from '../erasure/erase-account.ts';
import type { ErasedContent } from '../erasure/eraser.ts';

/** Which account ends, and what happens to what its person wrote. */
export interface EndedAccount {
  readonly id: Id;
  readonly content: ErasedContent;
  /** Releases the contents of its pictures. */
  readonly release: Release;
}

/**
 * Ends an account: nobody can sign in to it, its sessions have ended, and what it said of its person is gone. Jobs erase the
 * rest. False if there is no such account. Throws ConflictError if the account owns communities.
 */
export async function endAccount(
  tx: EmittingTransaction,
  { id, content, release }: EndedAccount,
  nowMs: number,
): Promise<boolean> {
  await requireNoCommunities(tx, id);
  await endAllSessions(tx, id, { nowMs });
  const emptied = await emptyAccount(tx, id, nowMs);
  if (emptied === undefined) return false;
  if (content === 'erase') await eraseContent(tx, id);
  // Its archive and its uploads.
  tx.changed('content', id);
  await forgetRequest(tx, id);
  await refuseAwaited(tx, id);
  await forgetFactor(tx, id);
  await forgetMailCodes(tx, id);
  await leavePictures(tx, emptied, release);
  await addErasures(tx, { user_id: id, content }, nowMs);
  return true;
}
