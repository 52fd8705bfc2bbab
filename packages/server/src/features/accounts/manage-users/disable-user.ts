import type { Actor } from '../../../actor.ts';
import { endAllSessions } from '../sessions/sessions.ts';
import { updateUser } from '../users/users.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import type { ManagedUser } from './store.ts';

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
