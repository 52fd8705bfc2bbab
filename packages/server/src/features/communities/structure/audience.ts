import {
  both,
  isEmptyMask,
  joined,
  maskDigits,
  PERMISSIONS,
  readPermissions,
  type Id,
  type Permission,
  type PermissionMask,
} from '@hearth/protocol';
import type { KnownChannel, KnownCommunity } from './known-community.ts';

/** Who may follow the stream of a channel: what decides whether members of a community see it. */
export interface Audience {
  readonly community: Id;
  readonly owner: Id;
  /** The permissions of every role, including the everyone role, as pairs of its id and the digits of its mask. */
  readonly roles: readonly (readonly [Id, string])[];
  /** The overwrites of the category and of the channel: kind, id, and the digits of what is allowed and denied. */
  readonly levels: readonly (readonly (readonly ['role' | 'member', string, string, string])[])[];
}

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
