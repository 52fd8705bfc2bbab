import { ACCESS_CODE_HEADER, UnauthorizedError } from '@hearth/protocol';
import type { Actor, Guest } from '../actor.ts';

/** Who may use a route: anybody, or only users with an account. */
export type Auth = 'optional' | 'user';

/**
 * The client that sends a request. There are no accounts yet, so everyone is a guest and an Authorization header is
 * ignored. Once there are tokens, this is the place that reads them and refuses invalid ones.
 */
export function actorOf(request: Request, client: string): Actor {
  return new RequestingGuest(request, client);
}

/** Reads the access code only if it is needed, because few instances have one. */
class RequestingGuest implements Guest {
  readonly kind = 'guest';
  readonly address: string;
  readonly #request: Request;

  constructor(request: Request, address: string) {
    [this.#request, this.address] = [request, address];
  }

  get accessCode(): string | undefined {
    return this.#request.headers.get(ACCESS_CODE_HEADER) ?? undefined;
  }
}

/** Throws UnauthorizedError if a route requires an account and `actor` has none. */
export function requireAuth(auth: Auth, actor: Actor): void {
  if (auth === 'user' && actor.kind === 'guest') throw new UnauthorizedError('token_invalid');
}
