import { isEmptyMask } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { skeletonOf } from '../../../lib/skeleton.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { deleteOwnerInvite } from '../registration/registration.ts';
import { addAccount, type Passwords, type UsersTable } from '../users/users.ts';
import { newPassword, type PasswordOfUser } from './reset-user-password.ts';
import { lockManagedUser } from './find-managed-user.ts';

export type UserRequest = Pick<
  UsersTable,
  'username' | 'display_name' | 'email' | 'staff_permissions'
>;

/**
 * Creates an account with a random password; it makes no difference who may register. Throws ForbiddenError, and ConflictError for a name or
 * address that is taken.
 */
export async function createUser(
  ctx: Pick<Context, 'database' | 'clock' | 'ids'> & { readonly passwords: Passwords },
  actor: Actor,
  request: UserRequest,
): Promise<PasswordOfUser> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  if (!isEmptyMask(request.staff_permissions))
    requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const password = newPassword();
  const password_hash = await ctx.passwords.hash(password);
  const skeleton = await skeletonOf(request.username);
  const id = await ctx.ids.next();
  const account = { ...request, id, skeleton, password_hash, state: 'active' as const };
  return await ctx.database.transaction(async (tx) => {
    await addAccount(tx, ctx, account);
    if (!isEmptyMask(request.staff_permissions)) await deleteOwnerInvite(tx.sql);
    return { user: await lockManagedUser(tx, id), password };
  });
}
