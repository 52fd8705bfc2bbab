import type { Id } from '@hearth/protocol';
import { folded } from '../../../lib/skeleton.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import {
  updateEmail,
  updatePassword,
  updatePendingEmail,
  updatePicture,
  updateProfile,
  updateStaffPermissions,
  updateState,
  updateTotpSince,
  type Profile,
  type StoredUser,
} from './store.ts';

/** Replaces what a person says of themselves, and their settings. */
export async function setProfile(tx: Transaction, id: Id, profile: Profile): Promise<void> {
  await updateProfile(tx.sql, id, profile);
}

/** Replaces a picture of a profile by an upload, or by none if the id is empty. */
export async function setPicture(
  tx: Transaction,
  id: Id,
  picture: Parameters<typeof updatePicture>[2],
): Promise<void> {
  await updatePicture(tx.sql, id, picture);
}

/** Gives an account the password with this hash. An address that is not verified yet is no longer waited for. */
export async function setPassword(tx: Transaction, id: Id, passwordHash: string): Promise<void> {
  await updatePassword(tx.sql, id, { passwordHash });
}

/** Gives an account an address; false if another one has it. `verifiedAtMs` is 0 if it is not verified. */
export function setEmail(
  tx: Transaction,
  id: Id,
  { email, verifiedAtMs }: { readonly email: string; readonly verifiedAtMs: number },
): Promise<boolean> {
  return updateEmail(tx.sql, id, { email, emailKey: folded(email), verifiedAtMs });
}

/** Notes the address that replaces the one of an account once it is verified; empty for none. */
export async function setPendingEmail(tx: Transaction, id: Id, email: string): Promise<void> {
  await updatePendingEmail(tx.sql, id, email);
}

/** Notes since when an account has a second factor; 0 for none. */
export async function setTotpSince(tx: Transaction, id: Id, sinceMs: number): Promise<void> {
  await updateTotpSince(tx.sql, id, sinceMs);
}

export async function setState(tx: Transaction, id: Id, state: StoredUser['state']): Promise<void> {
  await updateState(tx.sql, id, state);
}

/** Replaces what an account may do as staff. */
export async function setStaffPermissions(
  tx: Transaction,
  id: Id,
  permissions: StoredUser['staffPermissions'],
): Promise<void> {
  await updateStaffPermissions(tx.sql, id, permissions);
}
