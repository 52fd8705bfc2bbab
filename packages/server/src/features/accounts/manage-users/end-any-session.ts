import { NotFoundError, parseId } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { endAllSessions, endSessionOf } from '../sessions/sessions.ts';
import { changeAccountOf, changeManagedUser, type ManagingContext } from './change-managed-user.ts';
import { selectSessionUser, type ManagedUser } from './store.ts';

/** Ends somebody's session, by its id. Throws ForbiddenError and NotFoundError. */
export async function endAnySession(
  ctx: ManagingContext,
  actor: Actor,
  given: string,
): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const id = parseId(given);
  const userId = id && (await selectSessionUser(ctx.database.reader, id));
  if (id === undefined || userId === undefined) throw new NotFoundError();
  await changeAccountOf(ctx, actor, {
    id: userId,
    work: (tx) => endSessionOf(tx, userId, { id, nowMs: ctx.clock.unixMs() }),
  });
}

/** Ends all sessions of the account with this id or name. Throws ForbiddenError and NotFoundError. */
export function endSessionsOfUser(
  ctx: ManagingContext,
  actor: Actor,
  user: string,
): Promise<ManagedUser> {
  return changeManagedUser(ctx, actor, {
    user,
    work: (tx, found) => endAllSessions(tx, found.id, { nowMs: ctx.clock.unixMs() }),
  });
}
