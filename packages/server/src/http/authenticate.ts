import { ACCESS_CODE_HEADER, UnauthorizedError, type Id } from '@hearth/protocol';
import type { Account, Actor, Credential, Guest, Scope } from '../actor.ts';
import type { TokenHolder } from '../authentication.ts';
import type { Method } from './router.ts';

/** People who may use a route: anybody, only users with an account, or only those who have a session. */
export type Auth = 'optional' | 'user' | 'session';

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

/** The account that sends a request with a token. */
export function accountOf(holder: TokenHolder, client: string, request?: Request): Account {
  return new RequestingAccount(holder, client, request);
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

class RequestingAccount implements Account {
  readonly kind = 'account';
  readonly user_id: Id;
  readonly is_bot: boolean;
  readonly credential: Credential;
  readonly staff_permissions: Account['staff_permissions'];
  readonly address: string;
  readonly #request: Request | undefined;

  constructor(holder: TokenHolder, address: string, request: Request | undefined) {
    [this.user_id, this.is_bot] = [holder.userId, holder.isBot];
    [this.credential, this.staff_permissions] = [holder.credential, holder.staffPermissions];
    [this.#request, this.address] = [request, address];
  }

  get accessCode(): string | undefined {
    return accessCodeIn(this.#request);
  }
}

function accessCodeIn(request: Request | undefined): string | undefined {
  return request?.headers.get(ACCESS_CODE_HEADER) ?? undefined;
}

/** Throws UnauthorizedError if a route requires an account or a session that `actor` does not have, or another scope. */
export function requireAuth(
  { auth, method }: { readonly auth: Auth; readonly method: Method },
  actor: Actor,
): void {
  if (actor.kind !== 'account') {
    if (auth === 'optional') return;
    throw new UnauthorizedError('token_invalid');
  }
  const { credential } = actor;
  if (auth === 'session' && credential.kind !== 'session') {
    throw new UnauthorizedError('token_invalid');
  }
  requireScope(credential, method === 'GET' ? 'read' : 'write');
}

/** Throws UnauthorizedError for a token that does not cover a scope. A session covers all. */
export function requireScope(credential: Credential, scope: Scope): void {
  if (credential.kind === 'session' || credential.scopes.includes(scope)) return;
  throw new UnauthorizedError('token_invalid');
}
