import {
  permissionsOf,
  type CommunityRoles,
  type OverwriteLevels,
  type Viewer,
} from './community-permissions.ts';
import type { VISIBILITIES } from './communities.ts';
import { hasPermission, PERMISSIONS, type Permission, type PermissionMask } from './permissions.ts';

/** A community, as far as it decides who may know of it, whatever they may do there. */
export interface SightedCommunity {
  readonly owner_id: string;
  readonly visibility: (typeof VISIBILITIES)[number];
  readonly is_deleted: boolean;
}

/** How much somebody may know of a community, of a channel in it, or of what the channel holds. */
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

/** What `viewer` may know of a channel whose overwrites are `levels`. */
export function channelSightOf(
  viewer: Viewer,
  community: SightedCommunity & CommunityRoles,
  levels: OverwriteLevels,
): Sight {
  const memberId = viewer.kind === 'member' ? viewer.id : undefined;
  return sightOf(community, memberId, permissionsOf(viewer, community, levels));
}
