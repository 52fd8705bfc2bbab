import { channelSightOf, ForbiddenError, NotFoundError } from '@hearth/protocol';
import type {
  ChannelAccess,
  KnownChannel,
  KnownCommunity,
  StoredMember,
} from '../../communities/structure/structure.ts';

/** A member. Throws ForbiddenError unless somebody is one, and NotFoundError in a community that was deleted. */
export function requireMember({ member, community }: ChannelAccess): StoredMember {
  if (community.stored.deletedAtMs > 0) throw new NotFoundError();
  if (member === undefined) throw new ForbiddenError({ code: 'not_member' });
  return member;
}

/** Whether a member sees a channel. */
export function sees(
  community: KnownCommunity,
  { levels }: Pick<KnownChannel, 'levels'>,
  { userId, roleIds }: Pick<StoredMember, 'userId' | 'roleIds'>,
): boolean {
  const viewer = { kind: 'member', id: userId, role_ids: roleIds } as const;
  return channelSightOf(viewer, community, levels).follows;
}
