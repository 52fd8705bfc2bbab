import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { Release } from '../../platform/contents/contents.ts';
import { voidMailCodes } from '../mail-codes/mail-codes.ts';
import { deleteRequest, type HasJoiningInvites } from '../registration/registration.ts';
import { forgetFactor } from '../second-factor/second-factor.ts';
import { endAllSessions } from '../sessions/sessions.ts';
import { emptyAccount, noteErasure, type HasPersonAnnouncers } from '../users/users.ts';
import { leavePictures, type HasPublicFiles } from './profile-pictures.ts';
import { addErasures, type ErasedContent } from '../erasure/erasure.ts';

/** Which account ends, and what happens to what its person wrote. */
export interface EndedAccount {
  readonly id: Id;
  readonly content: ErasedContent;
  /** Releases the contents of its pictures. */
  readonly release: Release;
}

/**
 * Throws ConflictError if an account may not end, such as one that owns communities. Until the transaction ends, nothing may
 * change that.
 */
export type RequireEndable = (tx: Transaction, userId: Id) => Promise<void>;

export interface HasEndRequirements {
  readonly endRequirements: readonly RequireEndable[];
}

export type EndingContext = Pick<Context, 'clock'> &
  HasEndRequirements &
  HasJoiningInvites &
  HasPersonAnnouncers &
  HasPublicFiles;

/**
 * Ends an account: nobody can sign in to it, its sessions have ended, and what it said of its person is gone. Jobs erase the
 * rest. False if there is no such account. Throws ConflictError if the account owns communities.
 */
export async function endAccount(
  tx: EmittingTransaction,
  ctx: EndingContext,
  { id, content, release }: EndedAccount,
): Promise<boolean> {
  const nowMs = ctx.clock.unixMs();
  for (const requireEndable of ctx.endRequirements) await requireEndable(tx, id);
  await endAllSessions(tx, id, { nowMs });
  const emptied = await emptyAccount(tx, ctx, id);
  if (emptied === undefined) return false;
  if (content === 'erase') await noteErasure(tx.sql, id);
  // Its archive and its uploads.
  tx.changed('content', id);
  await deleteRequest(tx.sql, id);
  await ctx.joiningInvites.refuseAwaited(tx, id);
  await forgetFactor(tx, id);
  await voidMailCodes(tx.sql, id);
  await leavePictures(tx, ctx, { emptied, release });
  await addErasures(tx, { user_id: id, content }, nowMs);
  return true;
}
