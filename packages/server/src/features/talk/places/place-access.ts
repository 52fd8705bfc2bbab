import {
  channelSightOf,
  ForbiddenError,
  hasPermission,
  NotFoundError,
  PERMISSIONS,
  type Permission,
} from '@hearth/protocol';
import type {
  ChannelAccess,
  KnownChannel,
  KnownCommunity,
  StoredMember,
} from '../../communities/structure/structure.ts';

/** Throws what is wrong if somebody may not do something in a channel. */
export type Requirement = (access: ChannelAccess) => void;

/** A member. Throws ForbiddenError unless somebody is one, and NotFoundError in a community that was deleted. */
export function requireMember({ member, community }: ChannelAccess): StoredMember {
  if (community.stored.deletedAtMs > 0) throw new NotFoundError();
  if (member === undefined) throw new ForbiddenError({ code: 'not_member' });
  return member;
}

/** Whether somebody has a permission in a channel. */
export function may(
  { permissions }: Pick<ChannelAccess, 'permissions'>,
  permission: Permission,
): boolean {
  return hasPermission(PERMISSIONS, permissions, permission);
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
