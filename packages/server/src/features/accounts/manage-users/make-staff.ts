import { isEmptyMask, type PermissionMask, type StaffPermission } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { deleteOwnerInvite } from '../registration/registration.ts';
import { recheckSessions } from '../sessions/sessions.ts';
import { updateUser } from '../users/users.ts';
import { changeManagedUser, requireState, type ManagingContext } from './change-managed-user.ts';
import type { ManagedUser } from './store.ts';

/**
 * Gives an account these permissions of the staff in place of those that it has. They apply within a second, also to its
 * sessions. Throws ForbiddenError, NotFoundError, and ConflictError unless the account is active.
 */
export function makeStaff(
  ctx: ManagingContext,
  actor: Actor,
  {
    user,
    permissions,
  }: {
    readonly user: string;
    readonly permissions: PermissionMask<StaffPermission>;
  },
): Promise<ManagedUser> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return changeManagedUser(ctx, actor, {
    user,
    async work(tx, found) {
      requireState(found, { from: ['active'] });
      await updateUser(tx.sql, found.id, { staff_permissions: permissions });
      if (!isEmptyMask(permissions)) await deleteOwnerInvite(tx.sql);
      await recheckSessions(tx, found.id);
    },
  });
}
