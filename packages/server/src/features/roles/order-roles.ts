import { ValidationError, type Id, type Role } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { inCommunity } from '../communities/in-community.ts';
import { announceRoles, rolesNow } from './changed-roles.ts';
import { rankOf } from './rank.ts';
import { updatePosition } from './store.ts';

/**
 * Puts the roles of a community in an order, the weakest first. Throws ValidationError for `ids` that are not exactly the
 * roles but the everyone role, and if a role changes its place that is not below the caller's highest one.
 */
export async function orderRoles(
  ctx: CommunityContext,
  actor: User,
  { community_id: communityId, ids }: { readonly community_id: Id; readonly ids: readonly Id[] },
): Promise<readonly Role[]> {
  return await inCommunity(
    ctx,
    actor,
    { id: communityId, needs: 'MANAGE_ROLES' },
    async (tx, access) => {
      const roles = access.community.roleById;
      const own = roles.keys().filter((id) => id !== communityId);
      if (
        new Set(ids).size !== ids.length ||
        new Set(own).symmetricDifference(new Set(ids)).size > 0
      ) {
        throw new ValidationError('ids', 'must be all roles but the everyone role, each once');
      }
      const rank = rankOf(access);
      const moved = new Set<Id>();
      for (const [index, id] of ids.entries()) {
        const position = index + 1;
        const before = roles.get(id)?.position ?? 0;
        if (before === position) continue;
        if (before >= rank || position >= rank) {
          throw new ValidationError(
            'ids',
            'must not move roles that are not below your highest one',
          );
        }
        await updatePosition(tx.sql, id, position);
        moved.add(id);
      }
      if (moved.size > 0) tx.changed('communities', communityId);
      const now = await rolesNow(tx, communityId);
      await announceRoles(
        tx,
        communityId,
        now.filter(({ id }) => moved.has(id)),
      );
      return now;
    },
  );
}
