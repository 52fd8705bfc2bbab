import {
  hasPermission,
  PERMISSIONS,
  permissionsOf,
  type Permission,
  type PermissionMask,
} from '@hearth/protocol';
import type { Access } from '../../gateway-part.ts';
import type { Audience } from '../../ports/bus/bus.ts';

/** Makes a function that returns whether a member of the community is in the audience of a channel. Others are not. */
export function audienceTest(audience: Audience): (access: Access) => boolean {
  const levels = audience.levels.map((level) =>
    level.map(([kind, id, allow, deny]) => ({
      kind,
      id,
      allow: maskOf(allow),
      deny: maskOf(deny),
    })),
  );
  const community = {
    id: audience.community,
    owner_id: audience.owner,
    roles: new Map(audience.roles.map(([id, bits]) => [id, maskOf(bits)] as const)),
  };
  return ({ user, roles }) => {
    if (user === undefined) return false;
    const viewer = { kind: 'member', id: user, role_ids: roles } as const;
    return hasPermission(PERMISSIONS, permissionsOf(viewer, community, levels), 'VIEW');
  };
}

// Guarantee: these bits were masks of permissions when they were published.
function maskOf(bits: number): PermissionMask<Permission> {
  return bits as PermissionMask<Permission>;
}
