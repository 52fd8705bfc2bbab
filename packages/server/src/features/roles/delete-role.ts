import { communityStream, ForbiddenError, type Id } from '@hearth/protocol';
import type { User } from '../../actor.ts';
import { dropOverwritesOf } from '../channels/drop-overwrites.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { inCommunity } from '../communities/in-community.ts';
import { dropRole } from '../members/drop-role.ts';
import { findRole, type RolePlace } from './change-role.ts';
import { announceRoles, rolesNow } from './changed-roles.ts';
import { requireAbove } from './rank.ts';
import { deleteRole as deleteRow, updatePosition } from './store.ts';

/**
 * Removes a role: its members no longer have it, and its overwrites are removed. Throws NotFoundError if the community has no
 * such role, and ForbiddenError if it is the everyone role, or not below the caller's highest one.
 */
export async function deleteRole(
  ctx: CommunityContext,
  actor: User,
  { community_id: communityId, role_id: id }: RolePlace,
): Promise<Record<never, never>> {
  return await inCommunity(
    ctx,
    actor,
    { id: communityId, needs: 'MANAGE_ROLES' },
    async (tx, access) => {
      const role = findRole(access, id);
      if (id === communityId) throw new ForbiddenError({ code: 'rank_too_low' });
      requireAbove(access, role.position);
      await dropOverwritesOf(tx, id);
      await dropRole(tx, id);
      await deleteRow(tx.sql, id);
      // Positions stay without gaps, so that an order of all roles moves only those whose order changes.
      const stronger = access.community.roleById
        .values()
        .filter(({ position }) => position > role.position);
      const moved = new Set<Id>();
      for (const { id: other, position } of stronger) {
        await updatePosition(tx.sql, other, position - 1);
        moved.add(other);
      }
      tx.changed('communities', communityId);
      const stream = communityStream(communityId);
      const d = { id, community_id: communityId };
      await tx.emit({ stream, event: { op: 'ROLE_DELETE', d } }, { subject: stream });
      const now = await rolesNow(tx, communityId);
      await announceRoles(
        tx,
        communityId,
        now.filter((each) => moved.has(each.id)),
      );
      return {};
    },
  );
}
