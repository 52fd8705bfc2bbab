import { ValidationError, type Id, type Role, type RoleOrder } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { changesOf } from '../audit/audit.ts';
import {
  describeRole,
  restructure,
  updatePositions,
  type AccessContext,
  type KnownCommunity,
} from '../structure/structure.ts';
import { rankOf } from './rank.ts';

/**
 * Puts the roles of a community in an order, the weakest first. Throws ValidationError for `ids` that are not exactly the
 * roles but the everyone role, and if a role changes its place that is not below the caller's highest one.
 */
export async function orderRoles(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, ids }: RoleOrder & { readonly community_id: Id },
): Promise<readonly Role[]> {
  const changing = { actor, id: communityId, needs: 'MANAGE_ROLES' } as const;
  const after = await restructure(ctx, changing, async (tx, access) => {
    const roles = access.community.roleById;
    const own = new Set(roles.keys().filter((id) => id !== communityId));
    if (own.size !== ids.length || own.symmetricDifference(new Set(ids)).size > 0) {
      throw new ValidationError('ids', 'must be all roles but the everyone role, each once');
    }
    const rank = rankOf(access);
    const moved = new Map<Id, number>();
    for (const [index, id] of ids.entries()) {
      const position = index + 1;
      const before = roles.get(id)?.position ?? 0;
      if (before === position) continue;
      if (before >= rank || position >= rank) {
        throw new ValidationError('ids', 'must not move roles that are not below your highest one');
      }
      moved.set(id, position);
    }
    if (moved.size === 0) return undefined;
    await updatePositions(tx.sql, moved);
    return (changed) => ({
      action: 'roles_order',
      changes: changesOf({ roles: namesOf(access.community) }, { roles: namesOf(changed) }),
    });
  });
  return Array.from(after.roleById.values(), describeRole);
}

function namesOf({ roleById }: KnownCommunity): readonly string[] {
  return Array.from(roleById.values(), ({ name }) => name);
}
