import { UnauthorizedError } from '@hearth/protocol';
import type { Actor } from '../actor.ts';

/** Who may use a route: anybody, or only users with an account. */
export type Auth = 'optional' | 'user';

/**
 * The client that sends a request. There are no accounts yet, so everyone is a guest and an Authorization header is
 * ignored. Once there are tokens, this is the place that reads them and refuses invalid ones.
 */
export function actorOf(_request: Request, client: string): Actor {
  return { kind: 'guest', address: client };
}

/** Throws UnauthorizedError if a route requires an account and `actor` has none. */
export function requireAuth(auth: Auth, actor: Actor): void {
  if (auth === 'user' && actor.kind === 'guest') throw new UnauthorizedError('token_invalid');
}
