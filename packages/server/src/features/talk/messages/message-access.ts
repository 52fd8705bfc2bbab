import { ValidationError, type Permission } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { requireIn } from '../../communities/structure/structure.ts';
import { requireGuard, type Place, type Requirement } from '../places/places.ts';

/** Throws ValidationError if a place holds no messages. */
export function requireMessages({
  place: { kind },
}: {
  readonly place: Pick<Place, 'kind'>;
}): void {
  if (kind === 'messages' || kind === 'announcements') return;
  throw new ValidationError(
    'kind',
    `must be a channel with messages, and this one is of the kind ${kind}`,
  );
}

/**
 * Requires what it takes to write in a place: to belong there and SEND_MESSAGES, and MANAGE_CONTENT where only
 * announcements are made. Throws ValidationError if it holds no messages, and ForbiddenError.
 */
export function requireWriting({ clock }: Pick<Context, 'clock'>): Requirement {
  return (access) => {
    requireMessages(access);
    requireGuard(access);
    requireIn(access, 'SEND_MESSAGES', clock.unixMs());
    if (access.place.kind === 'announcements') requireIn(access, 'MANAGE_CONTENT', clock.unixMs());
  };
}

/** Requires somebody to belong to a place with messages, and a permission there. Throws ValidationError and ForbiddenError. */
export function requireToDo(
  { clock }: Pick<Context, 'clock'>,
  permission: Permission,
): Requirement {
  return (access) => {
    requireMessages(access);
    requireGuard(access);
    requireIn(access, permission, clock.unixMs());
  };
}
