import type { StaffPermission } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { inForce, NO_PERMISSIONS, type FactorSettings } from './staff-permissions.ts';
import { selectUser } from './store.ts';

/** Throws ForbiddenError unless somebody has a permission of the staff as a transaction finds it. */
export async function requireStaffNow(
  { sql }: Transaction,
  { settings }: { readonly settings: FactorSettings },
  { actor, permission }: { readonly actor: Account; readonly permission: StaffPermission },
): Promise<void> {
  const user = await selectUser(sql, actor.user_id);
  const staffPermissions = user?.state === 'active' ? inForce(user, settings) : NO_PERMISSIONS;
  requirePermission({ ...actor, staff_permissions: staffPermissions }, INSTANCE, permission);
}
