import type { Actor } from '../../../actor.ts';
import { updateUser } from '../users/users.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import type { ManagedUser } from './store.ts';

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
