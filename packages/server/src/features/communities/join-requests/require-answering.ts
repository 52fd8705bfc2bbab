import { hasPermission, PERMISSIONS } from '@hearth/protocol';
import { requireIn, type Access } from '../structure/structure.ts';

/** Throws ForbiddenError unless somebody may see and answer requests to join: that takes KICK or MANAGE_INVITES. */
export function requireAnswering(access: Access, nowMs: number): void {
  if (hasPermission(PERMISSIONS, access.permissions, 'MANAGE_INVITES')) return;
  requireIn(access, 'KICK', nowMs);
}
