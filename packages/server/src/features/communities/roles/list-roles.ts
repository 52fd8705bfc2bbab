import type { Id, Role } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { accessTo, describeRole, type AccessContext } from '../structure/structure.ts';
import type { RolePlace } from './change-role.ts';
import { findRole } from './role-act.ts';

/** The roles of a community, the weakest first. Throws NotFoundError if the caller may not know that it exists. */
export async function listRoles(
  ctx: AccessContext,
  actor: Actor,
  { community_id: id }: { readonly community_id: Id },
): Promise<readonly Role[]> {
  const { community } = await accessTo(ctx, actor, id);
  return Array.from(community.roleById.values(), describeRole);
}

/** A role. Throws NotFoundError if the community has no such role, or if the caller may not know that it exists. */
export async function showRole(
  ctx: AccessContext,
  actor: Actor,
  { community_id: communityId, role_id: id }: RolePlace,
): Promise<Role> {
  const { community } = await accessTo(ctx, actor, communityId);
  return describeRole(findRole(community, id));
}
