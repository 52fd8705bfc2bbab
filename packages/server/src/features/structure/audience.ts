import {
  both,
  PERMISSIONS,
  readPermissions,
  type Permission,
  type PermissionMask,
} from '@hearth/protocol';
import type { Audience } from '../../ports/bus/bus.ts';
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
      ({ id, permissions }) => [id, seeing(permissions)] as const,
    ),
    levels: levels.map((level) =>
      level
        .map(({ kind, id, allow, deny }) => [kind, id, seeing(allow), seeing(deny)] as const)
        .filter(([, , allow, deny]) => allow !== 0 || deny !== 0),
    ),
  };
}

/** Whether the same members see two channels of a community by the same rules. */
export function haveSameAudience(
  community: Pick<KnownCommunity, 'stored' | 'roleById'>,
  one: Pick<KnownChannel, 'levels'>,
  other: Pick<KnownChannel, 'levels'>,
): boolean {
  const [first, second] = [one, other].map((each) => JSON.stringify(audienceOf(community, each)));
  return first === second;
}

function seeing(mask: PermissionMask<Permission>): number {
  return both(mask, SEEING);
}
