import { NotFoundError, UnauthorizedError } from '@hearth/protocol';
import type { Actor, Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';

/** Throws UnauthorizedError or NotFoundError if the owner has closed the lobby to `actor`. */
export function requireLobby({ settings }: Pick<Context, 'settings'>, actor: Actor): void {
  if (settings.lobby === 'open' || actor.kind === 'owner') return;
  if (settings.lobby === 'off') throw new NotFoundError();
  if (actor.kind === 'guest') throw new UnauthorizedError('token_invalid');
}

/** The user who acts in the lobby. Throws UnauthorizedError if `actor` has no account, and NotFoundError. */
export function requireUser(ctx: Pick<Context, 'settings'>, actor: Actor): Account {
  requireLobby(ctx, actor);
  if (actor.kind !== 'account') throw new UnauthorizedError('token_invalid');
  return actor;
}
