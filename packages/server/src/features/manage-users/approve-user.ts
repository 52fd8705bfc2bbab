import type { Actor } from '../../actor.ts';
import { forgetRequest } from '../registration/requests.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import { updateState, type ManagedUser } from './store.ts';

/**
 * Approves an account that waits for it, so that its person can sign in. Throws ForbiddenError, NotFoundError, and
 * ConflictError if it does not wait.
 */
export function approveUser(
  ctx: ManagingContext,
  actor: Actor,
  user: string,
): Promise<ManagedUser> {
  return changeManagedUser(ctx, actor, {
    user,
    async work(tx, found) {
      requireState(found, { from: ['pending'], to: 'active' });
      await updateState(tx.sql, found.id, 'active');
      await forgetRequest(tx, found.id);
    },
  });
}
