import { both, PERMISSIONS, readPermissions, type Permission } from '@hearth/protocol';
import type { PermissionMask } from '@hearth/protocol';
import type { Audience } from '../../ports/bus/bus.ts';
import type { KnownCommunity } from './known-community.ts';

/** Who has one of these, or ADMINISTRATOR, is a moderator, and follows the stream of the moderators. */
const MODERATING = readPermissions(PERMISSIONS, [
  'ADMINISTRATOR',
  'BAN',
  'HANDLE_REPORTS',
  'KICK',
  'MANAGE_INVITES',
]);

/** Whether somebody with these permissions is a moderator. */
export function isModerating(permissions: PermissionMask<Permission>): boolean {
  return both(permissions, MODERATING) !== 0;
}

/** Who follows the stream of the moderators, in the form of those who see a channel. */
export function moderatorsOf({
  stored,
  roleById,
}: Pick<KnownCommunity, 'stored' | 'roleById'>): Audience {
  return {
    community: stored.id,
    owner: stored.ownerId,
    roles: Array.from(
      roleById.values(),
      ({ id, permissions }) => [id, isModerating(permissions) ? PERMISSIONS.VIEW : 0] as const,
    ),
    levels: [],
  };
}
