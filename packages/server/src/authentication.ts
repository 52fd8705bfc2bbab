import type { Id, PermissionMask, StaffPermission } from '@hearth/protocol';
import type { Credential } from './actor.ts';

/** The account that sent a token. */
export interface TokenHolder {
  readonly userId: Id;
  readonly isBot: boolean;
  readonly credential: Credential;
  readonly staffPermissions: PermissionMask<StaffPermission>;
  /** The name under which limits count its user; made once, because it is needed by every request. */
  readonly countedAs: string;
}

/** Decides whether a token is accepted. */
export interface Authentication {
  /**
   * Returns the account that sent a token from an address; at once if this process knows the token. Throws, or rejects
   * with, UnauthorizedError, and what the database throws: an old answer is never given.
   */
  check(token: string, address: string): TokenHolder | Promise<TokenHolder>;
}
