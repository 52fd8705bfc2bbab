import { OVERWRITABLE_PERMISSIONS, PERMISSIONS, permissionNames } from '@hearth/protocol';
import type { CommunityRoles, OverwriteLevels, PermissionMask, Permission } from '@hearth/protocol';

// The least possible cost of a check of a member's permission: masks that are numbers, of which only 31 bits can be used.

/** A community and a channel of it, whose masks are numbers. */
export interface NumberMasks {
  readonly id: string;
  readonly roles: ReadonlyMap<string, number>;
  readonly levels: readonly (readonly {
    readonly kind: 'role' | 'member';
    readonly id: string;
    readonly allow: number;
    readonly deny: number;
  }[])[];
}

const [ADMINISTRATOR, VIEW] = [1 << PERMISSIONS.ADMINISTRATOR, 1 << PERMISSIONS.VIEW];
const OVERWRITABLE = numberOf(OVERWRITABLE_PERMISSIONS);

/** Returns a community and a channel with masks that are numbers. */
export function withNumbers({ id, roles }: CommunityRoles, levels: OverwriteLevels): NumberMasks {
  return {
    id,
    roles: new Map(Array.from(roles, ([role, mask]) => [role, numberOf(mask)] as const)),
    levels: levels.map((level) =>
      level.map((each) => ({ ...each, allow: numberOf(each.allow), deny: numberOf(each.deny) })),
    ),
  };
}

/** Returns whether a member who does not own the community has a permission in the channel. */
export function hasByNumbers(
  { id: everyone, roles, levels }: NumberMasks,
  member: { readonly id: string; readonly role_ids: readonly string[] },
  permission: Permission,
): boolean {
  let mask = roles.get(everyone) ?? 0;
  for (const id of member.role_ids) mask |= roles.get(id) ?? 0;
  if ((mask & ADMINISTRATOR) !== 0) return true;
  for (const level of levels) {
    let [own, deny, allow] = [[0, 0], 0, 0];
    for (const overwrite of level) {
      if (overwrite.kind === 'member') {
        if (overwrite.id === member.id) own = [overwrite.deny, overwrite.allow];
      } else if (overwrite.id === everyone) {
        mask = (mask & ~(overwrite.deny & OVERWRITABLE)) | (overwrite.allow & OVERWRITABLE);
      } else if (member.role_ids.includes(overwrite.id) && roles.has(overwrite.id)) {
        deny |= overwrite.deny;
        allow |= overwrite.allow;
      }
    }
    mask = (mask & ~(deny & OVERWRITABLE)) | (allow & OVERWRITABLE);
    const [denied = 0, allowed = 0] = own;
    mask = (mask & ~(denied & OVERWRITABLE)) | (allowed & OVERWRITABLE);
  }
  return (mask & VIEW) !== 0 && (mask & (1 << PERMISSIONS[permission])) !== 0;
}

function numberOf(mask: PermissionMask<Permission>): number {
  return permissionNames(PERMISSIONS, mask).reduce(
    (bits, name) => bits | (1 << PERMISSIONS[name]),
    0,
  );
}
