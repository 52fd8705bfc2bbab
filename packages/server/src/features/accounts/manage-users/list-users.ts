import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { findManagedUser } from './find-managed-user.ts';
import { selectUsers, type ManagedUser, type UserFilter } from './store.ts';

/** Which accounts are listed; `invitedBy` is the id or the name of an account. */
type ListedUsers = Omit<UserFilter, 'invitedBy'> & { readonly invitedBy?: string | undefined };

/**
 * Accounts, the newest first; without those that are deleted unless they are asked for. Throws ForbiddenError, and the errors of
 * {@link findManagedUser} for the account that has invited them.
 */
export async function listUsers(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  { invitedBy, ...filter }: ListedUsers,
): Promise<readonly ManagedUser[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const { reader } = database;
  const inviter = invitedBy === undefined ? undefined : await findManagedUser(reader, invitedBy);
  return await selectUsers(reader, { ...filter, invitedBy: inviter?.id });
}
