import {
  ForbiddenError,
  hasPermission,
  STAFF_PERMISSIONS,
  type StaffPermission,
} from '@hearth/protocol';
import type { Actor } from './actor.ts';

/** The place where a staff permission applies. `features/communities/structure/` checks the permissions of members. */
export type Place = typeof INSTANCE;

/** The instance as a whole, where staff permissions apply. */
export const INSTANCE = { kind: 'instance' } as const;

/** Throws ForbiddenError, which names the permission, unless `actor` has it in `place`. */
export function requirePermission(actor: Actor, _place: Place, permission: StaffPermission): void {
  if (actor.kind === 'owner') return;
  if (
    actor.kind === 'account' &&
    hasPermission(STAFF_PERMISSIONS, actor.staff_permissions, permission)
  )
    return;
  throw new ForbiddenError({ code: 'permission_missing', permission });
}
