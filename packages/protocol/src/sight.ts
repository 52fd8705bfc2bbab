import {
  permissionsOf,
  type CommunityRoles,
  type OverwriteLevels,
  type Viewer,
} from './community-permissions.ts';
import type { VISIBILITIES } from './communities.ts';
import type { LobbyMode } from './modes.ts';
import {
  both,
  hasPermission,
  isEmptyMask,
  joined,
  maskDigits,
  PERMISSIONS,
  readPermissions,
  type Permission,
  type PermissionMask,
} from './permissions.ts';

/** A community, as far as it decides who may know of it, whatever they may do there. */
export interface SightedCommunity {
  readonly owner_id: string;
  readonly visibility: (typeof VISIBILITIES)[number];
  readonly is_deleted: boolean;
}

/** The degree to which somebody may know of a community, of a channel in it, or of what the channel holds. */
export interface Sight {
  /** They may read it if they know its id: otherwise it is for them as if it did not exist. */
  readonly reads: boolean;
  /** Events and notifications of it are sent to them, and it is part of what they get about all places at once. */
  readonly follows: boolean;
  /** It is in lists for them that do not name its community, such as those of profiles. */
  readonly finds: boolean;
}

const NOTHING: Sight = { reads: false, follows: false, finds: false };
const REMAINS: Sight = { reads: true, follows: false, finds: false };
const BY_ADDRESS: Sight = { reads: true, follows: true, finds: false };
const ALL: Sight = { reads: true, follows: true, finds: true };

/**
 * Decides what may be known: of a community, or, with what somebody may do in a channel, of the channel and its content.
 * `memberId` is the id of a member. All others, whom it is undefined for, see the same, with or without an account. An instance
 * may let nobody read without an account, which is decided before.
 */
export function sightOf(
  { owner_id: ownerId, visibility, is_deleted: isDeleted }: SightedCommunity,
  memberId: string | undefined,
  inChannel?: PermissionMask<Permission>,
): Sight {
  if (inChannel !== undefined && !hasPermission(PERMISSIONS, inChannel, 'VIEW')) return NOTHING;
  if (isDeleted) return memberId === ownerId ? REMAINS : NOTHING;
  if (memberId !== undefined || visibility === 'public') return ALL;
  return visibility === 'private' ? NOTHING : BY_ADDRESS;
}

/** Returns what `viewer` may know of a channel whose overwrites are `levels`. */
export function channelSightOf(
  viewer: Viewer,
  community: SightedCommunity & CommunityRoles,
  levels: OverwriteLevels,
): Sight {
  const memberId = viewer.kind === 'member' ? viewer.id : undefined;
  return sightOf(community, memberId, permissionsOf(viewer, community, levels));
}

/** Returns what somebody may know of the lobby, with or without an account. */
export function lobbySightOf(mode: LobbyMode, hasAccount: boolean): Sight {
  return mode === 'open' || (mode === 'accounts' && hasAccount) ? ALL : NOTHING;
}

/** The roles and people one of which a member needs to follow a channel. Each of them is enough for somebody who has nothing else. */
export interface Seers {
  readonly roles: readonly string[];
  readonly members: readonly string[];
}

/** Returns undefined if members need nothing to follow a channel. The owner, who needs nothing either, is not among the people. */
export function seersOf(
  community: SightedCommunity & CommunityRoles,
  levels: OverwriteLevels,
): Seers | undefined {
  const follows = (roleIds: readonly string[], id = '') =>
    channelSightOf({ kind: 'member', id, role_ids: roleIds }, community, levels).follows;
  if (follows([])) return undefined;
  const named = levels.flat().flatMap(({ kind, id }) => (kind === 'member' ? [id] : []));
  return {
    roles: [...community.roles.keys()].filter((id) => follows([id])),
    members: [...new Set(named)].filter((id) => follows([], id)),
  };
}

/** The permissions on which it depends who sees a channel. */
const DECIDING = readPermissions(PERMISSIONS, ['ADMINISTRATOR', 'VIEW']);

/** The part of a mask on which it depends who sees a channel. */
export function decidingSight(mask: PermissionMask<Permission>): PermissionMask<Permission> {
  return both(mask, DECIDING);
}

/** The part of overwrites on which it depends who sees a channel. */
export function decidingLevels(levels: OverwriteLevels): OverwriteLevels {
  return levels.map((level) =>
    level.flatMap(({ kind, id, ...rest }) => {
      const [allow, deny] = [decidingSight(rest.allow), decidingSight(rest.deny)];
      return isEmptyMask(joined(allow, deny)) ? [] : [{ kind, id, allow, deny }];
    }),
  );
}

/** A channel, as far as it decides who in its community sees it. */
export interface SightedChannel {
  readonly levels: OverwriteLevels;
  /** True if it is hidden from anybody who sees the community. */
  readonly isRestricted: boolean;
}

/** Returns true if all who see one channel see another channel of its community, by rules that are the same. */
export function isSeenWith(other: SightedChannel, one: SightedChannel): boolean {
  return !other.isRestricted || rulesOf(one) === rulesOf(other);
}

function rulesOf({ levels }: SightedChannel): string {
  const rules = decidingLevels(levels).map((level) =>
    level.map(({ kind, id, allow, deny }) => [kind, id, maskDigits(allow), maskDigits(deny)]),
  );
  return JSON.stringify(rules);
}
