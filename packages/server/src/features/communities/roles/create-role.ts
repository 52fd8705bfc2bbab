import { PERMISSIONS, readPermissions, type Id, type NewRole, type Role } from '@hearth/protocol';
import { MOST_ROLES } from '@hearth/protocol/schemas';
import { tooMany } from '../../../too-many.ts';
import type { Account } from '../../../actor.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import {
  describeRole,
  restructure,
  updatePositions,
  insertRole,
  type AccessContext,
  type StoredRole,
} from '../structure/structure.ts';
import { findRole, roleAct } from './role-act.ts';
import { requireGrants } from './grants.ts';

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
      throw tooMany('roles', MOST_ROLES);
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

type Optional = 'colour' | 'hoisted' | 'mentionable' | 'self_assignable';

export type NewStoredRole = Omit<StoredRole, 'version' | 'deleted' | Optional> &
  Partial<Pick<StoredRole, Optional>>;

/** Adds a role to a community that is locked or new. */
export async function addRole(tx: Transaction, role: NewStoredRole): Promise<void> {
  const usual = { colour: '', hoisted: 0, mentionable: 0, self_assignable: 0 };
  await insertRole(tx.sql, { ...usual, ...role });
  tx.changed('communities', role.community_id);
}
