import { UnauthorizedError } from '@hearth/protocol';
import type { Actor, Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { requireLobby } from '../places/places.ts';

/** The user who acts in the lobby. Throws UnauthorizedError if `actor` has no account, and NotFoundError. */
export function requireUser(ctx: Pick<Context, 'settings'>, actor: Actor): Account {
  requireLobby(ctx, actor);
  if (actor.kind !== 'account') throw new UnauthorizedError('token_invalid');
  return actor;
}
