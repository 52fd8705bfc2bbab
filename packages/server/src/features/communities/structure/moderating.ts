import {
  both,
  isEmptyMask,
  maskDigits,
  NO_PERMISSION,
  PERMISSIONS,
  readPermissions,
  type CommunityRoles,
  type Id,
  type Permission,
  type PermissionMask,
} from '@hearth/protocol';
import type { Audience } from './audience.ts';
import type { KnownCommunity } from './known-community.ts';

/**
 * The permissions of moderators: a member who has one of these, or ADMINISTRATOR, is a moderator, and follows the
 * stream of the moderators.
 */
const MODERATING = readPermissions(PERMISSIONS, [
  'ADMINISTRATOR',
  'BAN',
  'HANDLE_REPORTS',
  'KICK',
  'MANAGE_INVITES',
]);

const VIEW = readPermissions(PERMISSIONS, ['VIEW']);

/** Returns whether somebody with these permissions is a moderator. */
function isModerating(permissions: PermissionMask<Permission>): boolean {
  return !isEmptyMask(both(permissions, MODERATING));
}

/** Returns who follows the stream of the moderators, in the form of those who see a channel. */
export function moderatorsOf({
  stored,
  roleById,
}: Pick<KnownCommunity, 'stored' | 'roleById'>): Audience {
  return {
    community: stored.id,
    owner: stored.ownerId,
    roles: Array.from(
      roleById.values(),
      ({ id, permissions }) =>
        [id, maskDigits(isModerating(permissions) ? VIEW : NO_PERMISSION)] as const,
    ),
    levels: [],
  };
}

/**
 * Returns whether a member is a moderator, which does not depend on what they see: somebody who sees no channel may
 * handle who joins.
 */
export function isModerator(
  community: CommunityRoles,
  { userId, roleIds }: { readonly userId: Id; readonly roleIds: readonly Id[] },
): boolean {
  if (community.owner_id === userId) return true;
  const everyone = community.roles.get(community.id);
  const own = roleIds.flatMap((id) => community.roles.get(id) ?? []);
  return [...(everyone === undefined ? [] : [everyone]), ...own].some(isModerating);
}
