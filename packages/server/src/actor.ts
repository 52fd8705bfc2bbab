import type { Id, PermissionMask, StaffPermission } from '@hearth/protocol';

/** The one who acts. Every verb takes an actor, and permissions.ts decides what it may do. */
export type Actor = Guest | Account | Owner;

/** A guest without an account, identified by the address that its requests count for. */
export interface Guest {
  readonly kind: 'guest';
  readonly address: string;
  /** The access code that it sent. */
  readonly accessCode?: string | undefined;
}

/** A person or a bot with an account. */
export interface Account {
  readonly kind: 'account';
  readonly user_id: Id;
  readonly is_bot: boolean;
  readonly credential: Credential;
  readonly address: string;
  /** The access code that it sent. */
  readonly accessCode?: string | undefined;
  readonly staff_permissions: PermissionMask<StaffPermission>;
}

/** An account that acts by a session: what verbs about the session itself take. */
export type SessionAccount = Account & { readonly credential: SessionCredential };

/** The proof that an account gave. */
export type Credential = SessionCredential | TokenCredential;

/** A session, which permits all that its account may do. */
export interface SessionCredential {
  readonly kind: 'session';
  /** The session's id. */
  readonly id: Id;
  /** The hash that the session keeps of the token that was sent. */
  readonly token_hash: string;
}

/** A token that a person made, or a bot's, which permits only what its scopes cover. */
export interface TokenCredential {
  readonly kind: 'personal_token' | 'bot_token';
  readonly id: Id;
  readonly scopes: readonly Scope[];
}

/** A part of what an account may do: GET routes, or all others that do not require a session. */
export type Scope = 'read' | 'write';

/** A command that the instance's owner runs beside the data. */
export interface Owner {
  readonly kind: 'owner';
}

export const OWNER: Owner = { kind: 'owner' };

/** Anyone, for an answer that is the same for all and made only once. */
export const ANYONE: Guest = { kind: 'guest', address: '' };
