import type { Id, PermissionMask, StaffPermission } from '@hearth/protocol';

/** The one who acts. Every verb takes an actor, and permissions.ts decides what it may do. */
export type Actor = Guest | User | Bot | Owner;

/** A guest without an account, identified by the address that its requests count for. */
export interface Guest {
  readonly kind: 'guest';
  readonly address: string;
  /** The access code that it sent. */
  readonly accessCode?: string | undefined;
}

/** A person with an account. */
export interface User {
  readonly kind: 'user';
  readonly user_id: Id;
  readonly session_id: Id;
  /** The address that its requests come from. */
  readonly address: string;
  /** The access code that it sent. */
  readonly accessCode?: string | undefined;
  readonly staff_permissions: PermissionMask<StaffPermission>;
  /** The hash that its session keeps of the token that it sent. */
  readonly token_hash?: string;
}

/** A program with an account of its own. */
export interface Bot {
  readonly kind: 'bot';
  readonly user_id: Id;
}

/** A command that the instance's owner runs beside the data. */
export interface Owner {
  readonly kind: 'owner';
}

/** The owner. */
export const OWNER: Owner = { kind: 'owner' };

/** Anyone, for an answer that is the same for all and made only once. */
export const ANYONE: Guest = { kind: 'guest', address: '' };
