import {
  both,
  isEmptyMask,
  joined,
  maskDigits,
  PERMISSIONS,
  readPermissions,
  type Permission,
  type PermissionMask,
} from '@hearth/protocol';
import type { Audience } from '../../../ports/bus/bus.ts';
import type { KnownChannel, KnownCommunity } from './known-community.ts';

/** The permissions on which it depends who sees a channel. */
const SEEING = readPermissions(PERMISSIONS, ['ADMINISTRATOR', 'VIEW']);

/** Who sees a channel of a community. Two channels that the same members see may have different audiences. */
export function audienceOf(
  { stored, roleById }: Pick<KnownCommunity, 'stored' | 'roleById'>,
  { levels }: Pick<KnownChannel, 'levels'>,
): Audience {
  return {
    community: stored.id,
    owner: stored.ownerId,
    roles: Array.from(
      roleById.values(),
      ({ id, permissions }) => [id, maskDigits(seeing(permissions))] as const,
    ),
    levels: levels.map((level) =>
      level
        .filter(({ allow, deny }) => !isEmptyMask(seeing(joined(allow, deny))))
        .map(
          ({ kind, id, allow, deny }) =>
            [kind, id, maskDigits(seeing(allow)), maskDigits(seeing(deny))] as const,
        ),
    ),
  };
}

/** Whether the same members see two channels of a community by the same rules. */
export function haveSameAudience(
  { stored }: Pick<KnownCommunity, 'stored'>,
  one: Pick<KnownChannel, 'levels'>,
  other: Pick<KnownChannel, 'levels'>,
): boolean {
  // Roles are the same for both.
  const [first, second] = [one, other].map((each) =>
    JSON.stringify(audienceOf({ stored, roleById: new Map() }, each)),
  );
  return first === second;
}

function seeing(mask: PermissionMask<Permission>): PermissionMask<Permission> {
  return both(mask, SEEING);
}
