import { ForbiddenError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import {
  holdWriting,
  restructure,
  updatePositions,
  deleteOverwrite,
  type AccessContext,
  type KnownCommunity,
} from '../structure/structure.ts';
import type { RolePlace } from './change-role.ts';
import { findRole, roleAct } from './role-act.ts';
import { deniedBy, requireGrants } from './grants.ts';
import { requireAbove } from './rank.ts';
import { removeRole } from './remove-role.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { raiseVersions } from '../../platform/turns/turns.ts';

/**
 * Removes a role: its members no longer have it, and its overwrites are removed. Throws NotFoundError if the community has no
 * such role, and ForbiddenError if it is the everyone role, if it is not below the caller's highest one, or for a permission that it
 * denies in a channel and the caller does not have there.
 */
export async function deleteRole(
  ctx: AccessContext,
  actor: Account,
  { community_id: communityId, role_id: id }: RolePlace,
): Promise<Record<never, never>> {
  const changing = { actor, id: communityId, needs: 'MANAGE_ROLES' } as const;
  await restructure(ctx, changing, async (tx, access) => {
    const { community } = access;
    const role = findRole(community, id);
    if (id === communityId) throw new ForbiddenError({ code: 'rank_too_low' });
    requireAbove(access, role.position);
    requireGrants(access, deniedBy(community, role));
    // Channels are locked before members: what the role gave is announced as lost after it was taken off them.
    await holdWriting(tx, communityId);
    await dropOverwritesOf(tx, community, id);
    await removeRole(tx, id, ctx.clock.unixMs());
    // Positions stay without gaps, so that an order of all roles moves only those whose order changes.
    const moved = [...community.roleById.values()]
      .filter(({ position }) => position > role.position)
      .map((other) => [other.id, other.position - 1] as const);
    await updatePositions(tx.sql, new Map(moved));
    return () => roleAct('role_delete', role);
  });
  return {};
}

/** Removes the overwrites of a role that is about to be removed. */
async function dropOverwritesOf(
  { sql }: Transaction,
  { channelById }: Pick<KnownCommunity, 'channelById'>,
  roleId: Id,
): Promise<void> {
  for (const { id, overwrites } of channelById.values()) {
    if (!overwrites.some(({ kind, id: subject }) => kind === 'role' && subject === roleId))
      continue;
    await deleteOverwrite(sql, id, roleId);
    await raiseVersions(sql, [id]);
  }
}
