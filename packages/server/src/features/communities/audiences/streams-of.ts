import {
  channelSightOf,
  channelStream,
  communityStream,
  isRestricted,
  moderatorStream,
  sightOf,
  type CommunityRoles,
  type Id,
  type OverwriteLevels,
  type SightedCommunity,
} from '@hearth/protocol';
import type { StreamName } from '../../../ports/bus/bus.ts';
import { isModerator } from '../structure/structure.ts';

/** A community, as far as it decides who follows which of its streams. */
export interface AudienceCommunity extends CommunityRoles, SightedCommunity {
  readonly id: Id;
  /** Channels that not everyone sees who sees the community. */
  readonly restricted: readonly { readonly id: Id; readonly levels: OverwriteLevels }[];
}

/** The streams of a community that a member with these roles follows. A time-out changes nothing: it ends by itself. */
export function streamsOf(
  community: AudienceCommunity,
  { userId, roleIds }: { readonly userId: Id; readonly roleIds: readonly Id[] },
): readonly StreamName[] {
  if (!sightOf(community, userId).follows) return [];
  const viewer = { kind: 'member', id: userId, role_ids: roleIds } as const;
  const channels = community.restricted.filter(
    ({ levels }) => channelSightOf(viewer, community, levels).follows,
  );
  return [
    communityStream(community.id),
    ...channels.map(({ id }) => channelStream(id)),
    ...(isModerator(community, { userId, roleIds }) ? [moderatorStream(community.id)] : []),
  ];
}

/** Returns the restricted ones of the channels and categories, with what decides who sees them. */
export function restrictedOf(
  community: CommunityRoles,
  places: readonly { readonly id: Id; readonly levels: OverwriteLevels }[],
): AudienceCommunity['restricted'] {
  return places.filter(({ levels }) => isRestricted(community, levels));
}
