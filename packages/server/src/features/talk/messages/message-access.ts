import { ValidationError, type Permission } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { requireIn, type ChannelAccess } from '../../communities/structure/structure.ts';
import { requireMember, type Requirement } from '../places/places.ts';

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
