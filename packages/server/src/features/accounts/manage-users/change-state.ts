import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { addEmailCode } from '../mail-codes/mail-codes.ts';
import { deleteRequest } from '../registration/registration.ts';
import { updateUser } from '../users/users.ts';
import { endAllSessions } from '../sessions/sessions.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import type { ManagedUser } from './store.ts';

/**
 * Approves an account that waits for it, so that its person can sign in, joins the community that they were invited to, and lets
 * them know by mail, with a code that verifies their address. Throws ForbiddenError, NotFoundError, and ConflictError if it does not wait.
 */
export function approveUser(
  ctx: ManagingContext & Pick<Context, 'mailer'>,
  actor: Actor,
  user: string,
): Promise<ManagedUser> {
  return changeManagedUser(ctx, actor, {
    user,
    locksAwaited: true,
    async work(tx, found) {
      requireState(found, { from: ['pending'], to: 'active' });
      await updateUser(tx.sql, found.id, { state: 'active' });
      await deleteRequest(tx.sql, found.id);
      await ctx.joiningInvites.joinAwaited(tx, ctx, found.id);
      if (found.email !== '') await addEmailCode(tx, ctx, { id: found.id, isApproved: true });
    },
  });
}

/**
 * Disables an account: its sessions end, and its person cannot sign in until it is enabled. Throws ForbiddenError,
 * NotFoundError, and ConflictError unless it is active.
 */
export function disableUser(
  ctx: ManagingContext,
  actor: Actor,
  user: string,
): Promise<ManagedUser> {
  return changeManagedUser(ctx, actor, {
    user,
    async work(tx, found) {
      requireState(found, { from: ['active'], to: 'disabled' });
      await updateUser(tx.sql, found.id, { state: 'disabled' });
      await endAllSessions(tx, found.id, { nowMs: ctx.clock.unixMs() });
    },
  });
}

/**
 * Lets the person of a disabled account sign in again. Throws ForbiddenError, NotFoundError, and ConflictError unless it is
 * disabled.
 */
export function enableUser(ctx: ManagingContext, actor: Actor, user: string): Promise<ManagedUser> {
  return changeManagedUser(ctx, actor, {
    user,
    async work(tx, found) {
      requireState(found, { from: ['disabled'], to: 'active' });
      await updateUser(tx.sql, found.id, { state: 'active' });
    },
  });
}
