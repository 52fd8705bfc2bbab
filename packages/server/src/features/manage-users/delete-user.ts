import type { Actor } from '../../actor.ts';
import { forgetMailCodes } from '../mail-codes/forget-codes.ts';
import { forgetRequest } from '../registration/requests.ts';
import { forgetFactor } from '../second-factor/forget-factor.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import { clearUser, giveUpNames, type ManagedUser } from './store.ts';

/** How long nobody else can take a name that was given up, in milliseconds. */
const NAME_KEPT_MS = 365 * 86_400_000;

/**
 * Deletes an account: its sessions end, everything that it says of a person is forgotten, and what the person wrote stays
 * under "deleted". Its name becomes free after a year; at once if the account was never approved. Throws ForbiddenError,
 * NotFoundError, and ConflictError if it is deleted already.
 */
export function deleteUser(ctx: ManagingContext, actor: Actor, user: string): Promise<ManagedUser> {
  return changeManagedUser(ctx, actor, {
    user,
    async work(tx, found) {
      requireState(found, 'active', 'pending', 'disabled');
      const nowMs = ctx.clock.unixMs();
      await endAllSessions(tx, found.id, { nowMs });
      await forgetRequest(tx, found.id);
      await forgetFactor(tx, found.id);
      await forgetMailCodes(tx, found.id);
      const freeAtMs = found.state === 'pending' ? nowMs : nowMs + NAME_KEPT_MS;
      for (const skeleton of await giveUpNames(tx.sql, found.id, freeAtMs)) {
        tx.changed('names', skeleton);
      }
      await clearUser(tx.sql, found.id);
    },
  });
}
