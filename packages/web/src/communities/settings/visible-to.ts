import {
  hasPermission,
  permissionsOf,
  PERMISSIONS,
  readPermissions,
  type Channel,
  type Id,
  type Overwrite,
} from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';

/** The names of the roles whose members see a channel, or that everyone does. Single members come by their ids. */
export function visibleTo(
  community: Pick<MyCommunity, 'id' | 'owner_id' | 'roles'>,
  channel: Pick<Channel, 'overwrites'>,
  category: Pick<Channel, 'overwrites'> | undefined,
): 'everyone' | readonly string[] {
  const levels = [maskedOf(category), maskedOf(channel)];
  const masks = {
    id: community.id,
    owner_id: community.owner_id,
    roles: new Map(
      community.roles.map((role) => [role.id, readPermissions(PERMISSIONS, role.permissions)]),
    ),
  };
  const sees = (roleIds: readonly Id[]) => {
    const viewer = { kind: 'member', id: '', role_ids: roleIds } as const;
    return hasPermission(PERMISSIONS, permissionsOf(viewer, masks, levels), 'VIEW');
  };
  const others = community.roles.filter(({ id }) => id !== community.id);
  if (sees([]) && others.every(({ id }) => sees([id]))) return 'everyone';
  return others.filter(({ id }) => sees([id])).map(({ name }) => name);
}

function maskedOf(channel: Pick<Channel, 'overwrites'> | undefined): readonly Overwrite[] {
  return (channel?.overwrites ?? []).map(({ id, kind, allow, deny }) => ({
    id,
    kind,
    allow: readPermissions(PERMISSIONS, allow),
    deny: readPermissions(PERMISSIONS, deny),
  }));
}
