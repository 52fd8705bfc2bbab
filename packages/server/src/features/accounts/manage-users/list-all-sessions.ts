import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { findManagedUser } from './find-managed-user.ts';
import { selectManagedSessions, type ManagedSession } from './store.ts';

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
