import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectAnswer } from '../registration/registration.ts';
import { findManagedUser } from './find-managed-user.ts';
import {
  selectUsers,
  selectLastUse,
  selectName,
  type ManagedUser,
  type UserFilter,
} from './store.ts';

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

/** An account with what is known about its use. */
export interface ShownUser extends ManagedUser {
  /** When a session of it was used last; undefined if it never was. */
  readonly lastUsedAtMs: number | undefined;
  /** The answer of a person who waits for approval. */
  readonly answer: string | undefined;
  /** The name of the account that has invited them, if there is one. */
  readonly inviterName: string | undefined;
}

/** The account with this id or name. Throws ForbiddenError and NotFoundError. */
export async function showUser(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  idOrName: string,
): Promise<ShownUser> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const { reader } = database;
  const user = await findManagedUser(reader, idOrName);
  const { invited_by: invitedBy } = user;
  return {
    ...user,
    lastUsedAtMs: await selectLastUse(reader, user.id),
    answer: await selectAnswer(reader, user.id),
    inviterName: invitedBy === '' ? undefined : await selectName(reader, invitedBy),
  };
}
