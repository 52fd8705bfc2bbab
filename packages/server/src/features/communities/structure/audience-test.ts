import {
  channelSightOf,
  type CommunityRoles,
  type SightedCommunity,
  parseMask,
  type Permission,
} from '@hearth/protocol';
import type { StreamAccess } from '../../../gateway-host.ts';
import type { Audience } from './audience.ts';

/** Makes a function that returns whether a member of the community is in the audience of a channel. Others are not. */
export function audienceTest(given: object): (access: StreamAccess) => boolean {
  // Guarantee: only `audienceOf` and those who make the same form of it write audiences.
  const audience = given as Audience;
  const levels = audience.levels.map((level) =>
    level.map(([kind, id, allow, deny]) => ({
      kind,
      id,
      allow: parseMask<Permission>(allow),
      deny: parseMask<Permission>(deny),
    })),
  );
  const community: CommunityRoles & SightedCommunity = {
    id: audience.community,
    owner_id: audience.owner,
    visibility: 'private',
    is_deleted: false,
    roles: new Map(
      audience.roles.map(([id, digits]) => [id, parseMask<Permission>(digits)] as const),
    ),
  };
  return ({ user, roles }) => {
    if (user === undefined) return false;
    const viewer = { kind: 'member', id: user, role_ids: roles } as const;
    return channelSightOf(viewer, community, levels).follows;
  };
}
