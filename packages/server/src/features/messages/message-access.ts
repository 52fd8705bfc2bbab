import {
  ForbiddenError,
  hasPermission,
  NotFoundError,
  PERMISSIONS,
  ValidationError,
  type Permission,
} from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { requireIn, type ChannelAccess } from '../structure/access.ts';
import type { StoredMember } from '../structure/known-members.ts';

/** Throws what is wrong if somebody may not do something in a channel. */
export type Requirement = (access: ChannelAccess) => void;

/** Throws ValidationError if a channel holds no messages. */
export function requireMessages({ channel: { kind } }: ChannelAccess): void {
  if (kind === 'messages' || kind === 'announcements') return;
  throw new ValidationError(
    'kind',
    `must be a channel with messages, and this one is of the kind ${kind}`,
  );
}

/**
 * Requires what it takes to write in a channel: a membership and SEND_MESSAGES, and MANAGE_CONTENT where only
 * announcements are made. Throws ValidationError if the channel holds no messages, and ForbiddenError.
 */
export function requireWriting({ clock }: Pick<Context, 'clock'>): Requirement {
  return (access) => {
    requireMessages(access);
    requireMember(access);
    requireIn(access, 'SEND_MESSAGES', clock.unixMs());
    if (access.channel.kind === 'announcements')
      requireIn(access, 'MANAGE_CONTENT', clock.unixMs());
  };
}

/** Requires a membership and a permission in a channel with messages. Throws ValidationError and ForbiddenError. */
export function requireToDo(
  { clock }: Pick<Context, 'clock'>,
  permission: Permission,
): Requirement {
  return (access) => {
    requireMessages(access);
    requireMember(access);
    requireIn(access, permission, clock.unixMs());
  };
}

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
