import {
  PERMISSIONS,
  readPermissions,
  ValidationError,
  type Id,
  type Role,
  type RoleChange,
} from '@hearth/protocol';
import { isDeepStrictEqual } from 'node:util';
import type { Account } from '../../../actor.ts';
import {
  describeRole,
  restructure,
  updateRole,
  type AccessContext,
  type RoleFields,
  type StoredRole,
} from '../structure/structure.ts';
import { findRole, roleAct } from './role-act.ts';
import { allowedBy, changeOfRole, requireGrants } from './grants.ts';
import { requireAbove } from './rank.ts';

export interface RolePlace {
  readonly community_id: Id;
  readonly role_id: Id;
}

/**
 * Changes a role; nothing if that makes no difference. Throws NotFoundError if the community has no such role, ForbiddenError if it
 * is not below the caller's highest one or for a permission that the caller does not have, and ValidationError for what the
 * everyone role does not have.
 */
export async function changeRole(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, role_id: id, ...change }: RolePlace & RoleChange,
): Promise<Role> {
  const changing = { actor, id: communityId, needs: 'MANAGE_ROLES' } as const;
  const after = await restructure(ctx, changing, async (tx, access) => {
    const role = findRole(access.community, id);
    requireAbove(access, role.position);
    const fields = changedFields(role, change);
    requireGrants(access, [
      changeOfRole(role, fields.permissions),
      // Everyone can take it from then on.
      ...(fields.self_assignable > role.self_assignable ? allowedBy(access.community, role) : []),
    ]);
    if (isDeepStrictEqual({ ...role, ...fields }, { ...role })) return undefined;
    await updateRole(tx.sql, id, fields);
    return (changed) => roleAct('role_update', role, findRole(changed, id));
  });
  return describeRole(findRole(after, id));
}

function changedFields(role: StoredRole, change: RoleChange): RoleFields {
  const { permissions, ...others } = change;
  const [refused] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (role.id === role.community_id && refused !== undefined) {
    throw new ValidationError(refused, 'cannot be changed for the everyone role');
  }
  return {
    name: change.name ?? role.name,
    colour: change.colour === undefined ? role.colour : (change.colour ?? ''),
    hoisted: Number(change.hoisted ?? role.hoisted),
    mentionable: Number(change.mentionable ?? role.mentionable),
    self_assignable: Number(change.self_assignable ?? role.self_assignable),
    permissions:
      permissions === undefined ? role.permissions : readPermissions(PERMISSIONS, permissions),
  };
}
