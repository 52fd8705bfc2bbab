import {
  ConflictError,
  PERMISSIONS,
  readPermissions,
  type Id,
  type NewRole,
  type Role,
} from '@hearth/protocol';
import { MOST_ROLES } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import {
  describeRole,
  restructure,
  updatePositions,
  type AccessContext,
} from '../structure/structure.ts';
import { addRole } from './add-role.ts';
import { findRole } from './find-role.ts';
import { requireGrants } from './grants.ts';
import { roleAct } from './role-act.ts';

/**
 * Adds a role just above the everyone role. Throws ForbiddenError for a permission that the caller does not have, and
 * ConflictError for one role too many.
 */
export async function createRole(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, ...input }: NewRole & { readonly community_id: Id },
): Promise<Role> {
  const id = await ctx.ids.next();
  const permissions = readPermissions(PERMISSIONS, input.permissions);
  const changing = { actor, id: communityId, needs: 'MANAGE_ROLES' } as const;
  const after = await restructure(ctx, changing, async (tx, access) => {
    requireGrants(access, [{ permissions }]);
    const others = access.community.roleById.values().filter(({ position }) => position > 0);
    const stronger = [...others];
    if (stronger.length >= MOST_ROLES) {
      throw new ConflictError({ code: 'too_many', field_name: 'roles' }, { most: MOST_ROLES });
    }
    const moved = stronger.map((role) => [role.id, role.position + 1] as const);
    await updatePositions(tx.sql, new Map(moved));
    await addRole(tx, {
      id,
      community_id: communityId,
      name: input.name,
      colour: input.colour ?? '',
      hoisted: input.hoisted ? 1 : 0,
      mentionable: input.mentionable ? 1 : 0,
      self_assignable: input.self_assignable ? 1 : 0,
      position: 1,
      permissions,
    });
    return (changed) => roleAct('role_create', undefined, findRole(changed, id));
  });
  return describeRole(findRole(after, id));
}
