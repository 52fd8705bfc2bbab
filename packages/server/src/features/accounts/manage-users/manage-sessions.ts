import { NotFoundError, parseId, compareIds } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { NO_ID } from '../../../ports/database/stored-id.ts';
import { KEPT } from '../../../ports/database/database.ts';
import { endAllSessions, endSessionOf, endSessionsAfter } from '../sessions/sessions.ts';
import { findManagedUser } from './find-managed-user.ts';
import {
  selectManagedSessions,
  selectSessionUser,
  type ManagedSession,
  type ManagedUser,
} from './store.ts';
import { changeAccountOf, changeManagedUser, type ManagingContext } from './change-managed-user.ts';

/** The number of sessions that are ended in one transaction. */
const MOST_AT_ONCE = 500;

/**
 * The sessions of the account with this id or name, or of all accounts, the one used last first. Throws ForbiddenError, and
 * NotFoundError if there is no such account.
 */
export async function listAllSessions(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  { user, limit }: { readonly user: string | undefined; readonly limit: number },
): Promise<readonly ManagedSession[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  if (user === undefined) {
    return await selectManagedSessions(database.reader, { userId: undefined, limit });
  }
  const found = await findManagedUser(database.reader, user);
  return await selectManagedSessions(database.reader, { userId: found.id, limit });
}

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

/**
 * Ends all sessions of all accounts, and closes their sockets, after the key of their tokens has been replaced. Returns how many
 * have ended. Throws ForbiddenError.
 */
export async function endEverySession(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
): Promise<number> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const nowMs = clock.unixMs();
  for (let [count, after] = [0, NO_ID]; ;) {
    // Their clients need no SESSION_END: no token is left with which they could follow their streams.
    const ended = await database.transaction(
      (tx) => endSessionsAfter(tx, { after, limit: MOST_AT_ONCE, nowMs }),
      KEPT,
    );
    count += ended.length;
    const last = ended.toSorted(compareIds).at(-1);
    if (last === undefined) return count;
    after = last;
  }
}
