import { hasPermission, PERMISSIONS, ValidationError, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import {
  accessOf,
  selectMember,
  requireIn,
  type KnownCommunity,
  type MemberAccess,
} from '../structure/structure.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { allowedBy, lackingFor, rankOf, requireAbove, requireGrants } from '../roles/roles.ts';
import type { StoredInvite } from './store.ts';

/**
 * Throws ValidationError for roles that the community does not have, and ForbiddenError unless the caller may give them to
 * members: that takes MANAGE_ROLES, a higher role, and everything that they allow.
 */
export function requireGivenRoles(
  access: MemberAccess,
  roleIds: readonly Id[],
  nowMs: number,
): void {
  if (new Set(roleIds).size !== roleIds.length) {
    throw new ValidationError('role_ids', 'must be given once each');
  }
  for (const id of roleIds) {
    const role = access.community.roleById.get(id);
    if (role === undefined || role.position === 0) {
      throw new ValidationError('role_ids', 'must be roles of the community');
    }
    requireIn(access, 'MANAGE_ROLES', nowMs);
    requireAbove(access, role.position);
    requireGrants(access, allowedBy(access.community, role));
  }
}

/** The roles of an invite that there still are, and that the person who made it may still give. */
export async function rolesGivenBy(
  db: Reader,
  ctx: Pick<Context, 'clock'>,
  {
    community,
    invite: { created_by: createdBy, role_ids: roleIds },
  }: {
    readonly community: KnownCommunity;
    readonly invite: Pick<StoredInvite, 'created_by' | 'role_ids'>;
  },
): Promise<readonly Id[]> {
  if (roleIds.length === 0 || createdBy === '') return [];
  const member = await selectMember(db, community.stored.id, createdBy);
  if (member === undefined) return [];
  const giver = accessOf(ctx, { kind: 'account' }, { community, member });
  if (!hasPermission(PERMISSIONS, giver.permissions, 'MANAGE_ROLES')) return [];
  const rank = rankOf({ community, member });
  return roleIds.filter((id) => {
    const role = community.roleById.get(id);
    if (role === undefined || role.position >= rank) return false;
    return lackingFor(giver, allowedBy(community, role)) === undefined;
  });
}
