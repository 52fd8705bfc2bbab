import { ACCESS_CODE_HEADER, UnauthorizedError, type Id } from '@hearth/protocol';
import type { Actor, Guest, User } from '../actor.ts';
import type { TokenHolder } from '../authentication.ts';

/** Who may use a route: anybody, or only users with an account. */
export type Auth = 'optional' | 'user';

/** RFC 6750, 2.1; the scheme's name in any case (RFC 9110, 11.1). */
const BEARER = /^bearer +(\S*) *$/i;
const USUAL = 'Bearer ';

/**
 * The token that a request has in its Authorization header. Undefined if it has none, or a header of another scheme, such as
 * a proxy before the instance may want. Empty, which no token is, for a Bearer header without one.
 */
export function tokenIn(request: Request): string | undefined {
  const header = request.headers.get('authorization');
  if (header === null) return undefined;
  // As nearly every client writes it.
  if (header.startsWith(USUAL) && !header.includes(' ', USUAL.length)) {
    return header.slice(USUAL.length);
  }
  const [, token] = BEARER.exec(header) ?? [];
  return token ?? (/^bearer\b/i.test(header) ? '' : undefined);
}

/** The client that sends a request without a token. */
export function guestOf(request: Request, client: string): Guest {
  return new RequestingGuest(request, client);
}

/** The user who sends a request with a token. */
export function userOf(holder: TokenHolder, client: string, request?: Request): User {
  return new RequestingUser(holder, client, request);
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
    return accessCodeIn(this.#request);
  }
}

class RequestingUser implements User {
  readonly kind = 'user';
  readonly user_id: Id;
  readonly session_id: Id;
  readonly staff_permissions: User['staff_permissions'];
  readonly token_hash: string;
  readonly address: string;
  readonly #request: Request | undefined;

  constructor(holder: TokenHolder, address: string, request: Request | undefined) {
    [this.user_id, this.session_id] = [holder.userId, holder.sessionId];
    this.staff_permissions = holder.staffPermissions;
    this.token_hash = holder.tokenHash;
    [this.#request, this.address] = [request, address];
  }

  get accessCode(): string | undefined {
    return accessCodeIn(this.#request);
  }
}

function accessCodeIn(request: Request | undefined): string | undefined {
  return request?.headers.get(ACCESS_CODE_HEADER) ?? undefined;
}

/** Throws UnauthorizedError if a route requires an account and `actor` has none. */
export function requireAuth(auth: Auth, actor: Actor): void {
  if (auth === 'user' && actor.kind !== 'user') throw new UnauthorizedError('token_invalid');
}
