import { permissionNames, PERMISSIONS, type Role } from '@hearth/protocol';
import type { StoredRole } from './role-store.ts';

/** A role, as everyone in its community sees it. */
export function describeRole(role: StoredRole): Role {
  return {
    id: role.id,
    community_id: role.community_id,
    name: role.name,
    ...(role.colour !== '' && { colour: role.colour }),
    ...(role.hoisted > 0 && { hoisted: true as const }),
    ...(role.mentionable > 0 && { mentionable: true as const }),
    ...(role.self_assignable > 0 && { self_assignable: true as const }),
    position: role.position,
    permissions: [...permissionNames(PERMISSIONS, role.permissions)],
    version: role.version,
  };
}
