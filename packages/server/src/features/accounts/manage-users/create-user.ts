import { isEmptyMask, type PermissionMask, type StaffPermission } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { skeletonOf } from '../../../lib/skeleton.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { endOwnerInvite } from '../registration/registration.ts';
import { addAccount, type Passwords } from '../users/users.ts';
import { newPassword } from './new-password.ts';
import type { PasswordOfUser } from './reset-user-password.ts';
import { lockManagedUser } from './find-managed-user.ts';

export interface UserRequest {
  readonly username: string;
  readonly displayName: string;
  /** Empty if there is none. */
  readonly email: string;
  readonly staffPermissions: PermissionMask<StaffPermission>;
}

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
  if (!isEmptyMask(request.staffPermissions)) requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const password = newPassword();
  const passwordHash = await ctx.passwords.hash(password);
  const skeleton = await skeletonOf(request.username);
  const id = await ctx.ids.next();
  const account = { ...request, id, skeleton, passwordHash, state: 'active' as const };
  return await ctx.database.transaction(async (tx) => {
    await addAccount(tx, ctx, account);
    if (!isEmptyMask(request.staffPermissions)) await endOwnerInvite(tx);
    return { user: await lockManagedUser(tx, id), password };
  });
}
